# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += lib/acor_test.h
