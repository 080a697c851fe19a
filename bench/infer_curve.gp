# docs/results/infer.svg from docs/results/infer.csv:  gnuplot bench/infer_curve.gp, from the root of the tree
set datafile separator ","
set terminal svg size 960,520 font "sans,12" background "white"
set output "docs/results/infer.svg"
set key top left Left reverse samplen 2
set grid
set border 3
set tics nomirror
set linetype 1 lc rgb "#D55E00"
set linetype 2 lc rgb "#0072B2"
set xlabel "rows"
set ylabel "scores that are enough"
set xrange [30:310]
set yrange [0:*]
rows(source, kind) = sprintf("< awk -F, '$1==\"%s\" && $2==\"%s\"' docs/results/infer.csv", source, kind)
set multiplot layout 1,2
set title "validation log of a network"
plot rows("log", "12") using 3:5 with linespoints lc 1 pt 7 notitle, \
     rows("log", "12") using 3:7 with linespoints lc 1 dt 2 pt 6 notitle, \
     rows("log", "float32") using 3:5 with linespoints lc 2 pt 7 notitle, \
     rows("log", "float32") using 3:7 with linespoints lc 2 dt 2 pt 6 notitle, \
     rows("log", "float32") using 3:4 with lines lc rgb "#707070" notitle
set title "predictions and labels at random"
plot rows("noise", "12") using 3:5 with linespoints lc 1 pt 7 title "40 bits, LLL", \
     rows("noise", "12") using 3:7 with linespoints lc 1 dt 2 pt 6 title "40 bits, with blocks", \
     rows("noise", "float32") using 3:5 with linespoints lc 2 pt 7 title "float32, LLL", \
     rows("noise", "float32") using 3:7 with linespoints lc 2 dt 2 pt 6 title "float32, with blocks", \
     rows("noise", "float32") using 3:4 with lines lc rgb "#707070" title "float32, any method"
unset multiplot
