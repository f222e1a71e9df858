/* The yardstick: a plain replay of `parejas-online` hands, every token checked, from small ints.
 *
 * It is no part of the engine. It says how fast this machine replays a hand when nothing is in
 * the way, so that the engine's speed can be given as a ratio. Rule numbers are those of rules.md.
 *
 * Usage: yardstick FILE SECONDS. FILE holds `struct hand` after `struct hand`; what is printed is
 * "hands_per_second points_AC points_BD won_by_AC forfeited" (the last four over one pass).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SEATS = 4, SUITS = 4, RANKS = 10, CARDS = 40, TRICKS = 10, MOST_TOKENS = 85 };
enum { KNIGHT = 6, KING = 7 }; /* ranks by strength: 2 4 5 6 7 S C R 3 1 (R1) */
enum { FORTY, TWENTY_OROS, TUTE_KINGS = 5, TUTE_KNIGHTS, SAYINGS }; /* a token is CARDS + seat * SAYINGS + one of these */

struct hand {
    uint8_t holder[CARDS]; /* whose card it is at the deal; a card is suit * RANKS + strength */
    uint8_t trump, leader, count;
    uint8_t tokens[MOST_TOKENS];
};

struct outcome {
    int points[2], winner, forfeited;
};

static const int TANTOS[RANKS] = {0, 0, 0, 0, 0, 2, 3, 4, 10, 11};
static const uint64_t SUIT = (1u << RANKS) - 1;
static const uint64_t EACH_SUIT = 1ull | 1ull << RANKS | 1ull << 2 * RANKS | 1ull << 3 * RANKS;

static uint64_t above(int card) /* the cards that beat this one in its suit */
{
    uint64_t suit = SUIT << card / RANKS * RANKS;
    return suit & ~((2ull << card) - 1);
}

/* R4: what may be played on a trick that `best` is winning, `led` being its first card. */
static uint64_t legal(uint64_t held, int led, int best, int trump)
{
    uint64_t follow = held & SUIT << led / RANKS * RANKS, trumps = held & SUIT << trump * RANKS, higher = held & above(best);
    if (led / RANKS == best / RANKS) { /* not ruffed */
        if (follow) return higher ? higher : follow; /* R4.2 */
        return trumps ? trumps : held; /* R4.4, R4.5 */
    }
    if (follow) return follow; /* R4.3 */
    return higher ? higher : held; /* R4.4a */
}

/* R6.1: the suits, a bit each, in which king and knight are held. */
static int pairs(uint64_t held)
{
    int found = 0;
    for (int suit = 0; suit < SUITS; suit++)
        if ((held >> (suit * RANKS + KNIGHT) & 3) == 3) found |= 1 << suit;
    return found;
}

/* R6: a declaration; 1 when it stands, 2 when it ends the hand, 0 when it is wrong. */
static int declare(const uint64_t *held, int seat, int saying, int trump, int last_side, int side_tricks, int *gone, int *spoken, int *side_spoke, int *points)
{
    if (last_side != seat % 2) return 0; /* R6.2 */
    if (saying >= TUTE_KINGS) {
        uint64_t four = EACH_SUIT << (saying == TUTE_KINGS ? KING : KNIGHT);
        return side_tricks == 1 && !side_spoke[seat % 2] && (held[seat] & four) == four ? 2 : 0; /* R6.7, R6.8 */
    }
    int suit = saying == FORTY ? trump : saying - TWENTY_OROS, open = pairs(held[seat]) & ~gone[seat];
    if (saying != FORTY && suit == trump) return 0; /* R6.1 */
    if (!(open >> suit & 1) || *spoken >> seat & 1) return 0; /* R6.1, R6.3, R6.4, R6.6 */
    if (saying != FORTY && open >> trump & 1) return 0; /* R6.5c */
    gone[seat] |= 1 << suit;
    *spoken |= 1 << seat;
    side_spoke[seat % 2] = 1;
    points[seat % 2] += saying == FORTY ? 40 : 20;
    return 1;
}

/* R6.6: what the silent forfeit when the window ends. */
static int forfeit(const uint64_t *held, int side, int trump, int *gone, int spoken)
{
    int lost = 0;
    for (int seat = side; seat < SEATS; seat += 2) {
        if (spoken >> seat & 1) continue;
        int open = pairs(held[seat]) & ~gone[seat];
        if (open >> trump & 1) open = 1 << trump;
        gone[seat] |= open;
        for (; open; open &= open - 1) lost++;
    }
    return lost;
}

/* Returns 1 when the hand is legal from its first token to its end. */
static int replay(const struct hand *hand, struct outcome *out)
{
    uint64_t held[SEATS] = {0};
    int gone[SEATS] = {0}, side_spoke[2] = {0}, tricks[2] = {0}, points[2] = {0};
    int turn = hand->leader, trump = hand->trump, lying = 0, led = 0, best = 0, best_seat = 0, tantos = 0;
    int last_side = -1, spoken = 0, done = 0, lost = 0;
    for (int card = 0; card < CARDS; card++) held[hand->holder[card]] |= 1ull << card;
    for (int index = 0; index < hand->count; index++) {
        int token = hand->tokens[index];
        if (token >= CARDS) {
            int seat = (token - CARDS) / SAYINGS, saying = (token - CARDS) % SAYINGS;
            if (lying || done == TRICKS) return 0;
            int result = declare(held, seat, saying, trump, last_side, tricks[seat % 2], gone, &spoken, side_spoke, points);
            if (!result) return 0;
            if (result == 2) {
                *out = (struct outcome){{points[0], points[1]}, seat % 2, lost};
                return index + 1 == hand->count; /* R7.5 */
            }
            continue;
        }
        uint64_t bit = 1ull << token;
        if (!lying) {
            if (!(held[turn] & bit)) return 0; /* R4.1 */
            if (last_side >= 0) lost += forfeit(held, last_side, trump, gone, spoken);
            spoken = 0;
            led = best = token;
            best_seat = turn;
        } else {
            if (!(legal(held[turn], led, best, trump) & bit)) return 0;
            if (bit & above(best) || (token / RANKS == trump && best / RANKS != trump)) {
                best = token; /* R4.7 */
                best_seat = turn;
            }
        }
        held[turn] ^= bit;
        tantos += TANTOS[token % RANKS];
        turn = (turn + 1) % SEATS;
        if (++lying == SEATS) {
            last_side = best_seat % 2;
            points[last_side] += tantos;
            tricks[last_side]++;
            done++;
            turn = best_seat; /* R2.3 */
            lying = tantos = 0;
        }
    }
    if (done != TRICKS) return 0;
    points[last_side] += 10; /* R7.1 */
    int winner = points[0] == points[1] ? last_side : points[1] > points[0]; /* R7.2, R7.3 */
    *out = (struct outcome){{points[0], points[1]}, winner, lost};
    return 1;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **words)
{
    FILE *file = count == 3 ? fopen(words[1], "rb") : NULL;
    if (!file) return fputs("usage: yardstick FILE SECONDS\n", stderr), 2;
    fseek(file, 0, SEEK_END);
    size_t hands = (size_t)ftell(file) / sizeof(struct hand);
    struct hand *all = malloc((hands + 1) * sizeof *all);
    rewind(file);
    if (!all || !hands || fread(all, sizeof *all, hands, file) != hands) return fputs("no hands\n", stderr), 2;
    long points[2] = {0}, won = 0, lost = 0, passes = 0;
    double start = now(), seconds = atof(words[2]), spent;
    do {
        points[0] = points[1] = won = lost = 0;
        for (size_t index = 0; index < hands; index++) {
            struct outcome out;
            if (!replay(&all[index], &out)) return fprintf(stderr, "hand %zu is not legal\n", index), 1;
            points[0] += out.points[0];
            points[1] += out.points[1];
            won += out.winner == 0;
            lost += out.forfeited;
        }
        passes++;
        spent = now() - start;
    } while (spent < seconds);
    printf("%.0f %ld %ld %ld %ld\n", (double)passes * (double)hands / spent, points[0], points[1], won, lost);
    return 0;
}
