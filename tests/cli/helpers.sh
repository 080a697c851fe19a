# For the setup lines of cases.

# y: five labels of two classes, three 0 and two 1.
labels() { printf '0\n1\n0\n1\n0\n'; }

# predictions ROW...: CSV with header row,p and these values.
predictions() {
    echo row,p
    n=0
    for p in "$@"; do
        echo "$n,$p"
        n=$((n + 1))
    done
}

# npy DESCR SHAPE: a .npy header of 128 bytes.
npy() { printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($2), }"; }

half='\000\000\000\000\000\000\340\077' # 0.5, nan, infinity as little-endian doubles, for printf
nan='\000\000\000\000\000\000\370\177'
infinity='\000\000\000\000\000\000\360\177'

# score_of LABELS FOLDER OPTION...: the scores of all query files of a folder, one a line, every digit.
score_of() {
    secret=$1 folder=$2
    shift 2
    for query in "$folder"/query-*; do
        lossleak score --labels "$secret" --predictions "$query" "$@" --json | sed -n 's/.*"score": "\(.*\)",/\1/p'
    done
}

# scores LABELS FILE OPTION...: the score of one file of predictions, every digit.
scores() {
    secret=$1 file=$2
    shift 2
    lossleak score --labels "$secret" --predictions "$file" "$@" --json | sed -n 's/.*"score": "\(.*\)",/\1/p'
}
