/* The yardstick of the solver: the search of engine/solver/search.py in plain C, node by node the same.
 *
 * Usage: solver FILE. FILE holds `struct deal`s, trumps as the first suit; for each a line is printed:
 * the even side's points, positions looked at, microseconds of processor time.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef int64_t set; /* cards, bit 10 * suit + strength */

#define TRUMPS 0x3FFLL
#define ENTRIES (1 << 18)
#define KEY ((1LL << 42) - 1)
#define UNKNOWN 2

enum { OWN = 2000, OPEN = 1500, OTHER = 1000, BY_VALUE = 16, CUT = 8, MOST_HISTORY = 4000 };

struct deal {
    set hands[4];
    int32_t seats, pisar, turn, unused;
};

struct frame {
    int turn, on_table, best, holder, points, made, rest, slot, count, tried, soft, advice;
    set led, present;
    int64_t tag;
    int moves[16];
};

static const int WORTH[10] = {0, 0, 0, 0, 0, 2, 3, 4, 10, 11};
static int worth[40];
static set suit_of[40];
static int seats, pisar;
static set hands[4];
static int64_t same[4][32], history[4][40], table[ENTRIES], generation, nodes;
static struct frame frames[44];

static int highest(set cards) { return 63 - __builtin_clzll((unsigned long long)cards); }

static void new_deal(void)
{
    if (++generation > 0xFFFF) {
        memset(table, 0, sizeof table);
        generation = 1;
    }
    memset(history, 0, sizeof history);
    for (int suit = 0; suit < 4; suit++) {
        int64_t owners[32];
        for (int cards = 0; cards < 32; cards++) {
            owners[cards] = 1;
            for (int strength = 0; strength < 5; strength++)
                if (cards >> strength & 1) {
                    owners[cards] *= 4;
                    for (int seat = 1; seat < 4; seat++)
                        if (hands[seat] >> (10 * suit + strength) & 1)
                            owners[cards] += seat;
                }
            int least = 0;
            while (owners[least] != owners[cards])
                least++;
            same[suit][cards] = least;
        }
    }
}

/* 1: `side`, whose `best` is winning the trick, wins it whatever follows; -1: the other; 0: open */
static inline int winning_side(int turn, int left, int best, int side, set led)
{
    set ours = 1LL << best, theirs = 0;
    int ruffed = best < 10 && led != TRUMPS;
    for (; left; left--, turn = (turn + 1) & (seats - 1)) {
        set cards = hands[turn] & led;
        int free = 0;
        if (ruffed || !cards) {
            if (cards || led == TRUMPS)
                continue;
            cards = hands[turn] & TRUMPS;
            if (!cards)
                continue;
            if (!ruffed)
                ours = theirs = 0;
            ruffed = 1;
            free = !pisar;
        }
        set both = ours | theirs, above = cards;
        if (both) {
            above &= -(2 * (both & -both));
            if (!free) {
                set stays = -(2LL << highest(cards));
                ours &= stays;
                theirs &= stays;
            }
        }
        if ((turn & 1) == side)
            ours |= above;
        else
            theirs |= above;
    }
    return !theirs ? 1 : ours ? 0 : -1;
}

static inline int beats(int card, int best) { return suit_of[card] == suit_of[best] ? card > best : card < 10; }

static inline set legal(const struct frame *f)
{
    set held = hands[f->turn];
    if (!f->on_table)
        return held;
    set follow = held & f->led, above = held & suit_of[f->best] & -(2LL << f->best), cards;
    if (f->best < 10 && f->led != TRUMPS)
        cards = follow ? follow : pisar ? above : held & TRUMPS;
    else
        cards = above ? above : follow ? follow : held & TRUMPS;
    return cards ? cards : held;
}

static inline int after_last_trick(const struct frame *f)
{
    int winner = f->turn, best = highest(hands[f->turn]);
    for (int step = 1; step < seats; step++) {
        int seat = (f->turn + step) & (seats - 1), card = highest(hands[seat]);
        if (beats(card, best)) {
            winner = seat;
            best = card;
        }
    }
    return winner & 1 ? f->made : f->made + f->rest;
}

static inline void play(const struct frame *f, struct frame *then, int card)
{
    int turn = f->turn, best = f->best, holder = f->holder, points = f->points + worth[card];
    hands[turn] ^= 1LL << card;
    then->led = f->on_table ? f->led : suit_of[card];
    if (!f->on_table || beats(card, best)) {
        best = card;
        holder = turn;
    }
    then->made = f->made;
    then->rest = f->rest;
    if (f->on_table == seats - 1) {
        if (!hands[turn])
            points = f->rest;
        if (!(holder & 1))
            then->made += points;
        then->rest -= points;
        then->turn = holder;
        then->on_table = then->points = 0;
        then->present = hands[0] | hands[1] | hands[2] | hands[3];
    } else {
        then->turn = (turn + 1) & (seats - 1);
        then->on_table = f->on_table + 1;
        then->points = points;
        then->present = f->present;
    }
    then->best = best;
    then->holder = holder;
}

static inline void find_slot(struct frame *f)
{
    int64_t key = f->present & ~0x7C1F07C1FLL;
    for (int suit = 0; suit < 4; suit++)
        key |= same[suit][f->present >> 10 * suit & 31] << 10 * suit;
    key |= (int64_t)f->turn << 40;
    key = (int64_t)((uint64_t)key * (0x9E3779B97F4A7C15ULL & KEY)) & KEY;
    key ^= key >> 21;
    key = (int64_t)((uint64_t)key * (0xD6E8FEB86659FD93ULL & KEY)) & KEY;
    key ^= key >> 21;
    f->slot = (int)(key & (ENTRIES - 1));
    f->tag = key >> 18 << 16 | generation;
}

static inline void list_moves(struct frame *f)
{
    int turn = f->turn, side = turn & 1, after = (turn + 1) & (seats - 1), left = seats - 1 - f->on_table;
    int count = 0, above = -1, wins = 0, under = UNKNOWN;
    set others = f->present & ~hands[turn], todo = legal(f);
    while (todo) {
        int card = highest(todo);
        set suit = suit_of[card];
        todo ^= 1LL << card;
        if (above >= 0 && suit == suit_of[above] && !(others & ((1LL << above) - (2LL << card)))) {
            above = card;
            if (wins > 0)
                continue;
            if (wins < 0 || !(worth[card] || worth[f->moves[count - 1] & 63]))
                count--;
        } else {
            above = card;
            int heads = !f->on_table || beats(card, f->best);
            if (heads || under == UNKNOWN) {
                int holder = heads ? side : f->holder & 1;
                wins = winning_side(after, left, heads ? card : f->best, holder, f->on_table ? f->led : suit);
                if (holder != side)
                    wins = -wins;
            } else
                wins = under;
            if (!heads)
                under = wins;
        }
        int promise = wins > 0 ? OWN + BY_VALUE * worth[card] : (wins ? OTHER : OPEN) - BY_VALUE * worth[card];
        f->moves[count++] = promise << 6 | card;
    }
    if (!f->on_table)
        for (int at = 0; at < count; at++) {
            int card = f->moves[at] & 63;
            f->moves[at] += (int)history[turn][card] << 6;
            if (card == f->advice)
                f->moves[at] += 1 << 28;
        }
    for (int number = 1; number < count; number++) {
        int move = f->moves[number], at = number;
        for (; at && f->moves[at - 1] < move; at--)
            f->moves[at] = f->moves[at - 1];
        f->moves[at] = move;
    }
    f->count = count;
    f->tried = 0;
    f->soft = side ? 1000 : -1;
}

static inline int known_value(struct frame *f, int target)
{
    set held = hands[f->turn];
    f->advice = -1;
    if (f->made >= target)
        return f->made;
    if (f->made + f->rest < target)
        return f->made + f->rest;
    if (!(held & (held - 1)))
        return after_last_trick(f);
    find_slot(f);
    int64_t entry = table[f->slot];
    if (entry >> 22 == f->tag) {
        int least = entry >> 14 & 255, most = entry >> 6 & 255;
        f->advice = entry & 63;
        if (f->made + least >= target)
            return f->made + least;
        if (f->made + most < target)
            return f->made + most;
    }
    return -1;
}

static inline int take_back(struct frame *f, int target, int value)
{
    int card = f->moves[f->tried] & 63, cut;
    hands[f->turn] ^= 1LL << card;
    if (f->turn & 1) {
        f->soft = value < f->soft ? value : f->soft;
        cut = value < target;
    } else {
        f->soft = value > f->soft ? value : f->soft;
        cut = value >= target;
    }
    f->tried++;
    if (!cut && f->tried < f->count)
        return -1;
    if (!f->on_table) {
        if (cut && f->tried > 1 && (history[f->turn][card] += CUT) > MOST_HISTORY)
            for (int seat = 0; seat < 4; seat++)
                for (int other = 0; other < 40; other++)
                    history[seat][other] >>= 1;
        int64_t entry = table[f->slot], least = 0, most = f->rest, known = f->soft - f->made;
        if (entry >> 22 == f->tag) {
            least = entry >> 14 & 255;
            most = entry >> 6 & 255;
        }
        if (f->soft >= target)
            least = known > least ? known : least;
        else
            most = known < most ? known : most;
        table[f->slot] = f->tag << 22 | least << 14 | most << 6 | (cut ? card : f->moves[0] & 63);
    }
    return f->soft;
}

static int bound(int target)
{
    struct frame *f = frames;
    for (;;) {
        int value = -1;
        nodes++;
        if (!f->on_table)
            value = known_value(f, target);
        if (value < 0)
            list_moves(f);
        while (value >= 0) {
            if (f == frames)
                return value;
            f--;
            value = take_back(f, target, value);
        }
        play(f, f + 1, f->moves[f->tried] & 63);
        f++;
    }
}

static int exact(void)
{
    int least = 0, most = frames[0].rest, target = most / 2, step = 8, way = 0, turned = 0;
    while (least < most) {
        int value = bound(target), now = value >= target ? 1 : -1;
        if (now > 0)
            least = value;
        else
            most = value;
        turned |= way == -now;
        way = now;
        if (turned)
            target = (least + most + 1) / 2;
        else {
            target = now > 0 ? least + step : most - step + 1;
            step *= 2;
            if (target > most || target <= least)
                target = now > 0 ? most : least + 1;
        }
    }
    return least;
}

int main(int count, char **words)
{
    struct deal deal;
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    if (!file)
        return 2;
    for (int card = 0; card < 40; card++) {
        worth[card] = WORTH[card % 10];
        suit_of[card] = TRUMPS << 10 * (card / 10);
    }
    while (fread(&deal, sizeof deal, 1, file) == 1) {
        struct timespec before, after;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        memcpy(hands, deal.hands, sizeof hands);
        seats = deal.seats;
        pisar = deal.pisar;
        memset(frames, 0, sizeof frames);
        frames[0].turn = deal.turn;
        frames[0].present = hands[0] | hands[1] | hands[2] | hands[3];
        frames[0].rest = 10;
        for (int card = 0; card < 40; card++)
            if (frames[0].present >> card & 1)
                frames[0].rest += worth[card];
        nodes = 0;
        new_deal();
        int value = exact();
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        double spent = (after.tv_sec - before.tv_sec) * 1e6 + (after.tv_nsec - before.tv_nsec) / 1e3;
        printf("%d %lld %.2f\n", value, (long long)nodes, spent);
    }
    fclose(file);
    return 0;
}
