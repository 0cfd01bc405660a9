#!/bin/sh
# Builds Doorbell and reproduces every figure: errors on the terminal, pictures and page in build/figures.
set -eu
cd "$(dirname "$0")"
. cmake/setup.sh

say "Packages"
# shellcheck disable=SC2086  # a list of words
need $build_packages

say "Release build in build/release"
build release doorbell_cli

say "Figures: simulation against measurement"
build/release/doorbell reproduce --out build/figures
