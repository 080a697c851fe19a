/* Nouns that agree with their number. Texts are written for many ("%ld rows"), and one place puts right what is wrong
 * for one: "1 rows are" becomes "1 row is". */
#ifndef LL_NUMBER_AGREE_H
#define LL_NUMBER_AGREE_H

/* In place; the text never grows. Only nouns of the table in agree.c directly behind a number 1, or behind "1 hidden"
 * and its like, are changed, and the verb behind them. */
void ll_agree(char *text);

#endif
