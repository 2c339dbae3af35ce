/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command line. Two tables (table.c) drive everything: parsing (args.c),
 * the order and the texts of complaints (check.c), help (help.c).
 */
#ifndef ACOR_CLI_ARGS_H
#define ACOR_CLI_ARGS_H

#include <stddef.h>
#include <stdint.h>

/* Those of the Go program first, in the order its help has them. */
typedef enum cli_opt {
    OPT_ADDR,
    OPT_ADDRS,
    OPT_MASTER_NAME,
    OPT_RING_ADDRS,
    OPT_PASSWORD,
    OPT_DB,
    OPT_NAME,
    OPT_DEBUG,
    OPT_CACHE,
    OPT_PRESET,
    OPT_POLL,
    OPT_BATCH_MODE,
    OPT_WORKERS,
    OPT_CHUNK_SIZE,
    OPT_BOUNDARY,
    OPT_OVERLAP,
    OPT_MATCH_KIND,
    OPT_WHOLE_WORD,
    OPT_DRY_RUN,
    OPT_KEEP_OLD_KEYS,
    OPT_URL,
    OPT_CASE_SENSITIVE,
    OPT_TIMEOUT,
    OPT_FILE,
    OPT_INPUT,
    OPT_KEYWORDS,
    OPT_WORD,
    OPT_IGNORE_CASE,
    OPT_INVERT,
    OPT_COUNT,
    OPT_ONLY,
    OPT_LINE_NUMBER,
    OPT_WITH_NAME,
    OPT_NO_NAME,
    OPT_QUIET,
    OPT_JSON,
    OPT_OVERLAPPING,
    OPT_NULL,
    OPT_LIMIT,
    OPT_SORTED,
    OPT_VERBOSE,
    OPT_HELP,
    OPT_VERSION,
    OPT_COUNT_OF
} cli_opt;

typedef enum cli_cmd {
    CMD_ADD,
    CMD_ADD_MANY,
    CMD_REMOVE,
    CMD_REMOVE_MANY,
    CMD_FIND,
    CMD_FIND_SET,
    CMD_FIND_INDEX,
    CMD_FIND_MATCHES,
    CMD_CONTAINS,
    CMD_FIND_PARALLEL,
    CMD_FIND_INDEX_PARALLEL,
    CMD_SUGGEST,
    CMD_SUGGEST_INDEX,
    CMD_FILTER,
    CMD_LIST,
    CMD_INFO,
    CMD_FLUSH,
    CMD_SCHEMA_VERSION,
    CMD_VERSION,
    CMD_HELP,
    CMD_MIGRATE,
    CMD_MIGRATE_ROLLBACK,
    CMD_COUNT_OF
} cli_cmd;

typedef enum cli_kind { KIND_BOOL, KIND_TEXT, KIND_INT, KIND_DURATION } cli_kind;

typedef struct cli_option {
    const char *name;   /* long name, NULL if it has only a letter */
    char letter;        /* 0 if it has none */
    char go;            /* one of the Go program's: also with a single dash */
    char kind;          /* a cli_kind */
    uint32_t takes;     /* bit of each cli_cmd it applies to */
    const char *misfit; /* Go's text where it does not apply; NULL: ours */
    const char *value;  /* what the value is, for help */
    const char *help;
} cli_option;

typedef enum cli_rule { ARGS_NONE, ARGS_ONE, ARGS_SOME, ARGS_ANY } cli_rule;

struct cli_args;

typedef struct cli_command {
    const char *name;
    const char *args; /* for help */
    char rule;        /* a cli_rule */
    char not_yet;     /* known, checked, and not part of this release */
    int (*run)(const struct cli_args *args);
    const char *help;
} cli_command;

extern const cli_option cli_options[OPT_COUNT_OF];
extern const cli_command cli_commands[CMD_COUNT_OF];

/* One option as it was given. */
typedef struct cli_given {
    cli_opt opt;
    const char *value;   /* NULL for bool */
    const char *spelled; /* the word it stood in */
    int after;           /* after the command */
} cli_given;

typedef struct cli_args {
    cli_cmd cmd;
    const char *word;  /* the command as written; NULL: none */
    int known;         /* whether cmd is set */
    int help;          /* asked for help */
    const char **args; /* n_args of them */
    size_t n_args;
    cli_given *given; /* in the order of the command line */
    size_t n_given;
    size_t given_cap;
    size_t args_cap;
    const char *text[OPT_COUNT_OF]; /* the last value given, else NULL */
    int64_t number[OPT_COUNT_OF];   /* of numbers and bools; sign of durations */
    unsigned char is_given[OPT_COUNT_OF];
} cli_args;

/* Fills args, or says what is wrong and returns the exit status; -1 is fine. */
int cli_args_parse(cli_args *args, int argc, char **argv);
void cli_args_free(cli_args *args);

/* Checks in the order of the Go program; as cli_args_parse(). */
int cli_args_check(const cli_args *args);

/* Whether grep's exit statuses hold: found, none, trouble. */
int cli_is_filter(const cli_args *args);
/* Status of a call that failed: 1, in filter form 2. */
int cli_failed(const cli_args *args);

/* Whether a bool is on. */
int cli_is_on(const cli_args *args, cli_opt opt);
/* Whether the text means `name`: trimmed, in any case; an empty text never. */
int cli_means(const char *text, const char *name);
uint32_t cli_batch_mode(const cli_args *args);
/* The collection's name: trimmed, "default" if blank. To be freed. */
char *cli_name(const cli_args *args);
/* Next element of a comma list, trimmed, without bounds to copy: 0 at its end. */
int cli_next_part(const char **list, const char **part, size_t *len);

/* Index into cli_commands, or -1. */
int cli_command_find(const char *name);

typedef struct cli_out cli_out;
void cli_usage(cli_out *out);
void cli_command_help(cli_out *out, cli_cmd cmd);
int cli_usage_to(int fd);

/* The commands. */
int cli_run_add(const cli_args *args);
int cli_run_remove(const cli_args *args);
int cli_run_add_many(const cli_args *args);
int cli_run_remove_many(const cli_args *args);
int cli_run_flush(const cli_args *args);
int cli_run_find(const cli_args *args);
int cli_run_find_set(const cli_args *args);
int cli_run_find_index(const cli_args *args);
int cli_run_find_matches(const cli_args *args);
int cli_run_contains(const cli_args *args);
int cli_run_find_parallel(const cli_args *args);
int cli_run_find_index_parallel(const cli_args *args);
int cli_run_suggest(const cli_args *args);
int cli_run_suggest_index(const cli_args *args);
int cli_run_filter(const cli_args *args);
int cli_run_list(const cli_args *args);
int cli_run_info(const cli_args *args);
int cli_run_schema_version(const cli_args *args);
int cli_run_version(const cli_args *args);
int cli_run_help(const cli_args *args);

#endif /* ACOR_CLI_ARGS_H */
