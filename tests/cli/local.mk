# SPDX-License-Identifier: Apache-2.0
# The program, from the outside.
dist_check_SCRIPTS += \
	cli/args.sh cli/blocks.sh cli/files.sh cli/filter.sh cli/go_cli.sh cli/json.sh cli/man.sh \
	cli/parallel.sh cli/pipes.sh cli/store.sh cli/suggest.sh
EXTRA_DIST += \
	cli/blocks.py cli/data/cli-vectors.jsonl cli/data/cli.jsonl cli/data/deviations.jsonl \
	cli/go_cli.py cli/lib.sh
