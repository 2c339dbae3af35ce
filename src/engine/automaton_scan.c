/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/automaton.h"
#include "text/utf8.h"

/* Hits are handed on in groups: a call for each would cost more than the scan. */
enum { GROUP = 64 };

typedef struct scan {
    const acr_automaton *a;
    const acr_scan_job *job;
    const unsigned char *text; /* at hand */
    uint64_t origin;
    uint64_t odd;   /* as in the cursor */
    uint64_t extra; /* the same */
    uint32_t ref;
    size_t n;
    acor_match hits[GROUP];
} scan;

static uint64_t offset_of(const scan *s, const unsigned char *p)
{
    return s->origin + (uint64_t)(p - s->text);
}

/* Where a pattern that ends at p began. */
static const unsigned char *start_of(const scan *s, const acr_pattern *pat,
                                     const unsigned char *p)
{
    if (offset_of(s, p) - s->odd >= pat->bytes)
        return p - pat->bytes;
    return acr_utf8_back(s->text, p, pat->codepoints);
}

static acor_match hit_of(const scan *s, const acr_pattern *pat, const unsigned char *p)
{
    uint64_t end = offset_of(s, p), cp_end = end - s->extra;
    return (acor_match){
        .start = offset_of(s, start_of(s, pat, p)),
        .end = end,
        .cp_start = s->job->codepoints ? cp_end - pat->codepoints : UINT64_MAX,
        .cp_end = s->job->codepoints ? cp_end : UINT64_MAX,
        .keyword = pat->id,
    };
}

static int hand_on(scan *s)
{
    size_t n = s->n;
    s->n = 0;
    return n == 0 ? 0 : acr_select_take(s->job->to, s->hits, n);
}

/* Everything that ends at p. Kept out of line: the loop around it must stay small. */
static __attribute__((noinline)) int report(scan *s, const unsigned char *p)
{
    const acr_automaton *a = s->a;
    uint32_t k = acr_automaton_out(a, s->ref);
    for (; k != ACR_NO_PATTERN; k = a->patterns[k].shorter) {
        if (s->n == GROUP && hand_on(s) != 0)
            return -1;
        s->hits[s->n++] = hit_of(s, &a->patterns[k], p);
    }
    return 0;
}

/* The same, as long as the selection asks for more. */
static __attribute__((noinline)) int offer(scan *s, const unsigned char *p)
{
    const acr_automaton *a = s->a;
    uint32_t k = acr_automaton_out(a, s->ref);
    int answer = 0;
    for (; k != ACR_NO_PATTERN && answer == 0; k = a->patterns[k].shorter) {
        acor_match hit = hit_of(s, &a->patterns[k], p);
        answer = acr_select_offer(s->job->to, &hit);
    }
    return answer < 0 ? -1 : 0;
}

/* A symbol of no pattern leads to the root at once, without a walk over failure links. */
static inline uint32_t step(const acr_automaton *a, uint32_t ref, uint32_t c)
{
    return c == 0 ? 0 : acr_automaton_next(a, ref, c);
}

static inline uint32_t step_flat(const acr_automaton *a, uint32_t ref, uint32_t c)
{
    return acr_automaton_cell(a, ref, c);
}

/* The symbol of the code point at p, which is not ASCII; *width is its number of bytes. */
static inline uint32_t wide_symbol(const acr_alphabet *alphabet, const unsigned char *p,
                                   const unsigned char *end, unsigned *width)
{
    acr_rune r = acr_utf8_decode(p, end);
    *width = r.width;
    return r.valid ? acr_alphabet_symbol(alphabet, r.cp) : alphabet->bad;
}

/* From p on, up to the first hit. */
static inline const unsigned char *run(scan *s, const unsigned char *p,
                                       const unsigned char *end, int flat)
{
    const acr_automaton *a = s->a;
    const acr_alphabet *alphabet = &a->alphabet;
    uint32_t ref = s->ref;
    while (p < end) {
        uint32_t c;
        if (*p < 0x80) {
            c = alphabet->ascii[*p++];
        } else {
            unsigned width;
            c = wide_symbol(alphabet, p, end, &width);
            p += width;
            s->extra += width - 1;
            if (c & ACR_SYMBOL_ODD) {
                c &= ~ACR_SYMBOL_ODD;
                s->odd = offset_of(s, p);
            }
        }
        ref = flat ? step_flat(a, ref, c) : step(a, ref, c);
        if (ref & ACR_REF_OUT)
            break;
    }
    s->ref = ref;
    return p;
}

int acr_automaton_scan(const acr_engine *e, const acr_scan_job *job)
{
    const acr_automaton *a = (const acr_automaton *)e;
    const unsigned char *p = job->text + job->begin, *end = job->text + job->end;
    scan s;
    s.a = a;
    s.job = job;
    s.text = job->text;
    s.origin = job->origin;
    s.odd = job->cursor->odd;
    s.extra = job->cursor->extra;
    s.ref = (uint32_t)job->cursor->state;
    s.n = 0;
    while (p < end) {
        p = a->slots == NULL ? run(&s, p, end, 1) : run(&s, p, end, 0);
        if (s.ref & ACR_REF_OUT) {
            int stop = job->to->one_by_one ? offer(&s, p) : report(&s, p);
            if (stop != 0)
                return stop;
        }
    }
    *job->cursor = (acr_cursor){s.ref, offset_of(&s, p), s.extra, s.odd};
    return hand_on(&s);
}

/* The state that c leads to if it is one code point longer, else 0. */
static uint32_t child(const acr_automaton *a, uint32_t ref, uint32_t c, uint32_t depth)
{
    if (ref & ACR_REF_SLOT) {
        uint32_t s = ref >> ACR_REF_SHIFT, t = a->slots[s].base ^ c;
        if (a->slots[t].check != s)
            return 0;
        return t << ACR_REF_SHIFT | ACR_REF_SLOT |
               (a->slots[t].out != ACR_NO_PATTERN ? ACR_REF_OUT : 0);
    }
    uint32_t t = acr_automaton_cell(a, ref, c);
    return t != 0 && acr_automaton_depth(a, t) == depth + 1 ? t : 0;
}

int acr_automaton_walk(const acr_automaton *a, const unsigned char *p, const unsigned char *end,
                       acr_walk_fn fn, void *user)
{
    uint32_t ref = 0;
    for (uint32_t depth = 0; p < end; depth++) {
        unsigned width = 1;
        uint32_t c = *p < 0x80 ? a->alphabet.ascii[*p] : wide_symbol(&a->alphabet, p, end, &width);
        c &= ~ACR_SYMBOL_ODD;
        ref = c == 0 ? 0 : child(a, ref, c, depth);
        if (ref == 0)
            return 0;
        p += width;
        if (ref & ACR_REF_OUT) {
            const acr_pattern *pattern = &a->patterns[acr_automaton_out(a, ref)];
            /* Shorter ones are suffixes: they begin elsewhere. */
            int stop = pattern->codepoints == depth + 1 ? fn(user, pattern, p) : 0;
            if (stop != 0)
                return stop;
        }
    }
    return 0;
}

uint64_t acr_automaton_horizon(const acr_engine *e, const acr_cursor *at)
{
    const acr_automaton *a = (const acr_automaton *)e;
    uint64_t most = (uint64_t)acr_automaton_depth(a, (uint32_t)at->state) * ACR_WIDEST;
    return most < at->offset ? at->offset - most : 0;
}
