/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a text is shared out: pieces that follow each other without a gap. A hit
 * belongs to the piece in which it starts, wherever it ends:
 *
 *     text     |--------------------------------------------------|
 *     pieces   |...........|..........|.........|.................|
 *     scanned  [..........+++)
 *                         [..........+)         + as far as a keyword reaches that
 *                                    [.........)  began before the piece's stop
 */
#ifndef ACR_ENGINE_PIECES_H
#define ACR_ENGINE_PIECES_H

#include <stdatomic.h>

#include <acor/scan.h>

#include "base/alloc.h"
#include "engine/engine.h"
#include "text/chunks.h"

/* --- cutting ------------------------------------------------------------------ */

typedef struct acr_cutter {
    acr_chunks chunks; /* in force if bytes is 0 */
    size_t bytes;      /* what a piece is to have */
    size_t expected;   /* pieces, about; at least 1 */
    size_t at;         /* where the next piece starts */
    int done;
} acr_cutter;

/* workers: how many will share the pieces, at least 1. reach: the engine's. */
void acr_cutter_init(acr_cutter *c, acr_slice text, const acor_parallel_options *o,
                     uint32_t workers, uint64_t reach);

/* The next piece, which is not empty unless the text is: 1, or 0 if there is none. */
int acr_cutter_next(acr_cutter *c, size_t *start, size_t *stop);

/* --- scanning ----------------------------------------------------------------- */

typedef struct acr_piece {
    size_t start, stop;
    acor_match *hits; /* in order; code points are counted from start, see extra */
    size_t n, cap;
    uint64_t extra; /* bytes of the piece that start no code point */
    int status;     /* ACOR_OK or ACOR_ENOMEM */
    int done;       /* the owner's */
} acr_piece;

typedef struct acr_piece_job {
    const acr_engine *engine;
    const acr_mem *mem; /* for hits; any thread may call it */
    acr_slice text;
    acor_scan_options options; /* overlapping; a filter of whole words, if any */
    int fold;
    atomic_int stop; /* set: what is being found is not wanted any more */
} acr_piece_job;

/* Fill in all behind start and stop. hits and cap may be left from another piece. */
void acr_piece_scan(acr_piece_job *job, acr_piece *p);

/* --- putting together ----------------------------------------------------------- */

/*
 * Hits of all pieces in the order of a scan by one thread: what ends in a piece is
 * given to the selection, what ends behind it waits for the next one's.
 */
typedef struct acr_joiner {
    const acr_mem *mem;
    acr_select *to;
    acor_match *carry, *spare; /* hits that end behind the last piece; room for more */
    size_t carry_n, carry_cap, spare_cap;
    uint64_t extra; /* bytes before the next piece that start no code point */
} acr_joiner;

/* The next piece's hits. 0; or -1: enough, and the selection's status says why. */
int acr_join(acr_joiner *j, acr_piece *p);

void acr_joiner_free(acr_joiner *j);

#endif /* ACR_ENGINE_PIECES_H */
