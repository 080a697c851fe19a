# docs/results/infer.svg from docs/results/infer.csv:  gnuplot bench/infer_curve.gp, from the root of the tree
set datafile separator ","
set terminal svg size 960,520 font "sans,12" background "white"
set output "docs/results/infer.svg"
set key outside below center maxcols 2
set grid
set xlabel "rows"
set ylabel "scores that are enough"
set xrange [30:310]
set yrange [0:*]
rows(source, kind) = sprintf("< awk -F, '$1==\"%s\" && $2==\"%s\"' docs/results/infer.csv", source, kind)
set multiplot layout 1,2
set title "validation log of a network"
plot rows("log", "12") using 3:5 with linespoints lc 1 pt 7 title "40 bits, LLL", \
     rows("log", "12") using 3:7 with linespoints lc 1 dt 2 pt 6 title "40 bits, with blocks", \
     rows("log", "float32") using 3:5 with linespoints lc 2 pt 7 title "float32, LLL", \
     rows("log", "float32") using 3:7 with linespoints lc 2 dt 2 pt 6 title "float32, with blocks", \
     rows("log", "float32") using 3:4 with lines lc 0 title "float32, any method"
set title "predictions and labels at random"
plot rows("noise", "12") using 3:5 with linespoints lc 1 pt 7 title "40 bits, LLL", \
     rows("noise", "12") using 3:7 with linespoints lc 1 dt 2 pt 6 title "40 bits, with blocks", \
     rows("noise", "float32") using 3:5 with linespoints lc 2 pt 7 title "float32, LLL", \
     rows("noise", "float32") using 3:7 with linespoints lc 2 dt 2 pt 6 title "float32, with blocks", \
     rows("noise", "float32") using 3:4 with lines lc 0 title "float32, any method"
unset multiplot
