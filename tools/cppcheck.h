/* For cppcheck alone, which does not read the headers of the number libraries: their types are arrays of one. */
typedef struct {
    long words[4];
} ll_cppcheck_number, arb_t[1], arf_t[1], mag_t[1], fmpz_t[1], fmpq_t[1], mpz_t[1], mpfr_t[1];
