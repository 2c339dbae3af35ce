#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
echo 1..0
