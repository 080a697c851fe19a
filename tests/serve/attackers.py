"""Attackers that know a leaderboard by its answers alone, with any number of accounts that share what they see. Each is given ask(values), which answers
(score as text, improved) or None once every account is refused, and returns its labels."""
import numpy


def climb(ask, rows, draw):
    """Flip a random block of the best labels so far, and keep what improves."""
    best, size = draw.integers(0, 2, rows), max(1, rows // 4)
    answer = ask(best)
    while answer is not None:
        tried, block = best.copy(), draw.choice(rows, size, replace=False)
        tried[block] ^= 1
        answer = ask(tried)
        if answer is not None and answer[1]:
            best = tried
        elif draw.random() < 0.1:
            size = max(1, size * 3 // 4)
    return best


def vote(ask, rows, draw):
    """Random labels; those that improved are given a vote (Blum and Hardt 2015)."""
    votes, answer = numpy.zeros(rows), ()
    while answer is not None:
        tried = draw.integers(0, 2, rows)
        answer = ask(tried)
        if answer is not None:
            votes += (2 * tried - 1) * (1.0 if answer[1] else -0.02)
    return (votes + 1e-9 * draw.standard_normal(rows) > 0).astype(int)


def one_row(ask, rows, draw):
    """Climb, then flip single rows: one that improves was wrong, and one after the other is read at a level's edge."""
    best, answer, i = draw.integers(0, 2, rows), (), 0
    while answer is not None:
        tried = best.copy()
        if i % 2 == 0:
            tried[draw.choice(rows, max(1, rows // 8), replace=False)] ^= 1
        else:
            tried[i // 2 % rows] ^= 1
        answer, i = ask(tried), i + 1
        if answer is not None and answer[1]:
            best = tried
    return best


def belief(ask, rows, draw):
    """Keep the odds of every row; flip the rows that are least sure, and move the odds by what the answer says of the sum of a block."""
    odds, answer = 0.01 * draw.standard_normal(rows), ()
    best = (odds > 0).astype(int)
    while answer is not None:
        sure = numpy.abs(odds) + 0.5 * draw.random(rows)
        block = numpy.argsort(sure)[:max(1, rows // 3)]
        tried = best.copy()
        tried[block] = draw.integers(0, 2, block.size)
        answer = ask(tried)
        if answer is not None:
            odds[block] += (2 * tried[block] - 1) * (0.4 if answer[1] else -0.01)
            best = tried if answer[1] else best
    return (odds > 0).astype(int)


STRATEGIES = {"climb": climb, "vote": vote, "one row": one_row, "belief": belief}


def pool(server, tokens, encode):
    """ask() over accounts in turn; a refused account drops out."""
    left, shown = list(tokens), {}

    def ask(values):
        while left:
            token = left.pop(0)
            status, reply = server.submit(token, encode(values))
            if status == 200:
                left.append(token)
                improved = reply["score"] != shown.get(token, reply["score"]) or (token not in shown and reply["improved"])
                shown[token] = reply["score"]
                return reply["score"], improved
            if status != 429:
                raise RuntimeError(f"{status} {reply}")
        return None
    return ask
