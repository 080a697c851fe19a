#!/usr/bin/env python3
"""Writes exact.txt beside it: exact numbers read, compared and turned into logarithms by Python's integers and
mpmath. One case a line, fields parted by blanks:

    double TEXT HEX          nearest double
    compare TEXT TEXT SIGN
    log TEXT DECIMAL         ln, 60 digits
    complement TEXT DECIMAL  1 - x, 60 digits
    size TEXT EXPONENT DECIMAL   x = DECIMAL * 2^EXPONENT, 1/2 <= DECIMAL < 1, 60 digits
    reject TEXT
"""
import os
import random
import re
from fractions import Fraction

import mpmath

FORM = re.compile(r'([+-]?)(0[xX])?([0-9a-fA-F]*)\.?([0-9a-fA-F]*)$')
DIGITS = 60


def parts(text):
    """(m, a, b) with text = m 2^a 5^b"""
    hexadecimal = text.lstrip('+-')[:2].lower() == '0x'
    body, _, exponent = text.lower().partition('p' if hexadecimal else 'e')
    sign, _, whole, fraction = FORM.match(body).groups()
    mantissa = int(whole + fraction, 16 if hexadecimal else 10)
    power = int(exponent or '0') - len(fraction) * (4 if hexadecimal else 1)
    return (-mantissa if sign == '-' else mantissa), power, (0 if hexadecimal else power)


def exact(text):
    m, a, b = parts(text)
    return m * Fraction(2) ** a * Fraction(5) ** b


def nearest(text):
    try:
        return float(exact(text)).hex()
    except OverflowError:
        return '-inf' if text[0] == '-' else 'inf'


def show(x):
    return mpmath.nstr(x, DIGITS, strip_zeros=False, min_fixed=1, max_fixed=0)


def need(a, b):
    return 300 + max(abs(a), abs(b), 1).bit_length()


def log(text):
    m, a, b = parts(text)
    with mpmath.workprec(need(a, b) + 2 * m.bit_length()):
        return show(mpmath.log(m) + a * mpmath.ln2 + b * mpmath.log(5))


def complement(text):
    value = 1 - exact(text)
    with mpmath.workprec(400):
        return show(mpmath.mpf(value.numerator) / value.denominator)


def size(text):
    m, a, b = parts(text)
    with mpmath.workprec(need(a, b)):
        whole = mpmath.log(m, 2) + b * mpmath.log(5, 2)
        n = int(mpmath.floor(whole)) + 1
        return f'{a + n} {show(mpmath.power(2, whole - n))}'


def double_texts(rng):
    yield from ('0', '0x0', '0e99', '1', '-1', '+1', '1.', '.5', '0.1', '0x.8', '0x1.', '0xA.bP+3', '1e0', '1E+2', '1e-2', '1e400',
                '-1e400', '1e-400', '-1e-400', '4.9e-324', '2.4703282292062327e-324', '2.4703282292062328e-324',
                '2.2250738585072011e-308', '1.7976931348623157e308', '1.7976931348623158e308',
                '1.7976931348623159e308', '0x1p-1074', '0x1p-1075', '0x1.0000000000001p-1075',
                '0x1.fffffffffffff8p1023', '0x1.fffffffffffff7fffffffp1023', '9007199254740993',
                '9007199254740993.00000000000000000000000000000000000001', '0x20000000000001', '0x20000000000003')
    for _ in range(60):
        digits = ''.join(rng.choice('0123456789') for _ in range(rng.choice((1, 2, 17, 18, 40))))
        at = rng.randrange(len(digits) + 1)
        yield f'{digits[:at]}.{digits[at:]}e{rng.randrange(-345, 310)}'
    for _ in range(30):
        digits = ''.join(rng.choice('0123456789abcdef') for _ in range(rng.choice((1, 14, 15, 30))))
        yield f'0x{digits[:1]}.{digits[1:]}p{rng.randrange(-1090, 1030)}'


def compare_pairs(rng):
    yield from (('0.1', '0x1.999999999999ap-4'), ('0.1', '1e-1'), ('1e-1', '10e-2'), ('0.5', '0x1p-1'),
                ('1e22', '0x1.0f0cf064dd592p+73'), ('1e23', '0x1.52d02c7e14af6p+76'), ('-0.1', '-0.10'), ('0', '-0'))
    for _ in range(30):
        power = rng.randrange(20, 400)
        short = 5 ** power * 2 ** rng.randrange(50)
        yield f'{short}e-{power}', f'{short + rng.choice((-1, 0, 1))}e-{power}'
        cut = short >> 40
        yield f'0x{cut + rng.choice((0, 1)):x}p40', f'{short}'


def log_texts(rng):
    yield from ('1', '2', '0.5', '10', '1e-1', '0.3', '1e-15', '0x1p-1074', '0x1.fffffffffffffp-1', '1.' + '0' * 90 + '1',
                '0.' + '9' * 200, '0x1.' + '0' * 99 + '1')
    for length in (5, 18, 19, 20, 21, 60, 300):
        power = rng.randrange(10 ** (length - 1), 10 ** length)
        yield from (f'1e-{power}', f'1e{power}', f'0x1p-{power}', f'0x1.8p{power}', f'7.25e-{power}')


def complement_texts():
    yield from ('0', '1', '2', '-1', '0.5', '0.1', '0x1p-1', '1e-30', '0x1p-200', '1e0', '10e-1', '0.' + '9' * 80,
                '1.' + '0' * 120 + '3', '0x0.' + 'f' * 300, '123456789e-7', '0x1p300')


def size_texts(rng):
    yield from ('1', '3', '0.1', '1e-15')
    for length in (3, 18, 19, 20, 21, 25, 80, 400):
        power = rng.randrange(10 ** (length - 1), 10 ** length)
        yield from (f'1e-{power}', f'3e{power}', f'987654321987654321987654321e-{power}')


REJECTED = ('-', '+', '.', '-.', 'e5', '1e', '1e+', '1e-', '0x', '0x.', '0xp1', '0x1p', '0x1p+', '1p3', '0x1e+3', '1..2', '1.2.3', '--1', '+-1',
            '1e5.0', '1e5e5', '1e--5', 'inf', '-inf', 'nan', 'infinity', 'NaN', '1,5', '1_000', '0b1', '0xg', '1f', '1d0', 'x1',
            '00x1', '1e0x5', '1/2', '0x1.8p0x1', '\u0661', '1\u00a0')


def lines():
    rng = random.Random(20220328)
    for text in double_texts(rng):
        yield f'double {text} {nearest(text)}'
    for x, y in compare_pairs(rng):
        difference = exact(x) - exact(y)
        yield f'compare {x} {y} {(difference > 0) - (difference < 0)}'
    for text in log_texts(rng):
        yield f'log {text} {log(text)}'
    for text in complement_texts():
        yield f'complement {text} {complement(text)}'
    for text in size_texts(rng):
        yield f'size {text} {size(text)}'
    for text in REJECTED:
        yield f'reject {text}'


if __name__ == '__main__':
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'exact.txt')
    with open(path, 'w', encoding='utf-8') as out:
        out.writelines(line + '\n' for line in lines())
