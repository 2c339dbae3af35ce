# SPDX-License-Identifier: Apache-2.0
# Checks of the tree itself: layers, headers, exports, documents.
dist_check_SCRIPTS += \
	meta/banned.sh meta/compatibility.sh meta/docs.sh meta/example.sh meta/exports.sh meta/headers.sh \
	meta/includes.sh meta/layers.sh meta/lua.sh meta/map.sh meta/planted.sh \
	meta/sizes.sh meta/text_rules.sh
EXTRA_DIST += \
	meta/exports.txt meta/functions.sh meta/includes.awk meta/installed.sh \
	meta/strip.awk meta/tap.sh
