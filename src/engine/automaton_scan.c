/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/automaton.h"
#include "text/unicode.h"
#include "text/utf8.h"

/* Hits are handed on in groups: a call for each would cost more than the scan. */
enum { GROUP = 64 };

/* Simple lower-casing never makes a code point more than this many times shorter
 * (U+212A, 3 bytes, to k), and an undecodable byte only gets longer. */
enum { LONGEST_TO_ONE = 3 };

typedef struct scan {
    const acr_automaton *a;
    const acr_scan_job *job;
    const unsigned char *odd; /* end of the last code point whose compared form is of
                                 another length than its bytes; the text before it is
                                 not to be measured in bytes */
    size_t extra;             /* bytes so far that did not start a code point */
    uint32_t ref;
    size_t n;
    acor_match hits[GROUP];
} scan;

/* Where a pattern that ends at p began. */
static const unsigned char *start_of(const scan *s, const acr_pattern *pat,
                                     const unsigned char *p)
{
    if ((size_t)(p - s->odd) >= pat->bytes)
        return p - pat->bytes;
    return acr_utf8_back(s->job->text, p, pat->codepoints);
}

static uint64_t horizon(const scan *s, const unsigned char *p)
{
    uint64_t depth = acr_automaton_depth(s->a, s->ref);
    uint64_t pos = (uint64_t)(p - s->job->text);
    if ((uint64_t)(p - s->odd) < depth)
        depth *= LONGEST_TO_ONE;
    return depth < pos ? pos - depth : 0;
}

static int hand_on(scan *s, const unsigned char *p)
{
    size_t n = s->n;
    s->n = 0;
    return n == 0 ? 0 : s->job->fn(s->job->user, s->hits, n, horizon(s, p));
}

/* Everything that ends at p. Kept out of line: the loop around it must stay small. */
static __attribute__((noinline)) int report(scan *s, const unsigned char *p)
{
    const acr_automaton *a = s->a;
    uint32_t k = acr_automaton_out(a, s->ref);
    uint64_t end = (uint64_t)(p - s->job->text), cp_end = end - s->extra;
    for (; k != ACR_NO_PATTERN; k = a->patterns[k].shorter) {
        const acr_pattern *pat = &a->patterns[k];
        if (s->n == GROUP) {
            /* More of this end are to come, so nothing that starts as early as
             * the longest of them is settled: the horizon of p allows for that. */
            int stop = hand_on(s, p);
            if (stop)
                return stop;
        }
        s->hits[s->n++] = (acor_match){
            .start = (uint64_t)(start_of(s, pat, p) - s->job->text),
            .end = end,
            .cp_start = s->job->codepoints ? cp_end - pat->codepoints : UINT64_MAX,
            .cp_end = s->job->codepoints ? cp_end : UINT64_MAX,
            .keyword = pat->id,
        };
    }
    return 0;
}

/* A byte of no pattern leads to the root at once, without a walk over failure links. */
static inline uint32_t step(const acr_automaton *a, uint32_t ref, unsigned c)
{
    return c == 0 ? 0 : acr_automaton_next(a, ref, c);
}

/* One code point that is not plain ASCII, in its compared form. */
static const unsigned char *wide(scan *s, const unsigned char *p, const unsigned char *end)
{
    const acr_automaton *a = s->a;
    acr_rune r = acr_utf8_decode(p, end);
    uint32_t cp = a->fold ? acr_lower(r.cp) : r.cp;
    unsigned char form[4];
    size_t n = acr_utf8_encode(form, cp);
    p += r.width;
    s->extra += r.width - 1u;
    if (n != r.width)
        s->odd = p;
    for (size_t i = 0; i < n; i++)
        s->ref = step(a, s->ref, a->alphabet.class_of[form[i]]);
    return p;
}

/* ASCII from p on, as far as it goes without a hit. */
static inline const unsigned char *ascii_flat(scan *s, const unsigned char *p,
                                              const unsigned char *end)
{
    const acr_automaton *a = s->a;
    const uint8_t *class_of = a->alphabet.class_of;
    uint32_t ref = s->ref;
    while (p < end && *p < 0x80) {
        ref = acr_automaton_cell(a, ref, class_of[*p++]);
        if (ref & ACR_REF_OUT)
            break;
    }
    s->ref = ref;
    return p;
}

static inline const unsigned char *ascii_mixed(scan *s, const unsigned char *p,
                                               const unsigned char *end)
{
    const acr_automaton *a = s->a;
    uint32_t ref = s->ref;
    while (p < end && *p < 0x80) {
        ref = step(a, ref, a->alphabet.class_of[*p++]);
        if (ref & ACR_REF_OUT)
            break;
    }
    s->ref = ref;
    return p;
}

int acr_automaton_scan(const acr_engine *e, const acr_scan_job *job)
{
    const acr_automaton *a = (const acr_automaton *)e;
    const unsigned char *p = job->text, *end = p + job->len;
    scan s;
    s.a = a;
    s.job = job;
    s.odd = p;
    s.extra = 0;
    s.ref = 0;
    s.n = 0;
    while (p < end) {
        if (*p >= 0x80)
            p = wide(&s, p, end);
        else if (a->slots == NULL)
            p = ascii_flat(&s, p, end);
        else
            p = ascii_mixed(&s, p, end);
        if (s.ref & ACR_REF_OUT) {
            int stop = report(&s, p);
            if (stop)
                return stop;
        }
    }
    return hand_on(&s, p);
}
