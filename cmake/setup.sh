# Sourced by run.sh and test.sh from the top of the tree: what both need before they begin.
# shellcheck shell=sh disable=SC2034  # variables are for who sources this

say() { printf '\n== %s\n' "$*"; }

# as_root COMMAND...: through sudo unless this is root already.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# need PACKAGE...: installs the Debian packages that are missing.
need() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian; taking for granted what these packages hold: $*"
    return
  fi
  missing=
  for package in "$@"; do
    case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) in
      installed) ;;
      *) missing="$missing $package" ;;
    esac
  done
  if [ -z "$missing" ]; then
    echo "All $# packages are there."
    return
  fi
  echo "Installing:$missing"
  as_root apt-get update -qq
  # shellcheck disable=SC2086  # a list of words
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
}

# build PRESET [TARGET]: configures where needed, then builds all, or one target, in build/PRESET.
build() {
  if [ ! -f "build/$1/build.ninja" ]; then cmake --preset "$1"; fi
  cmake --build --preset "$1" ${2:+--target "$2"}
}

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
build_packages="g++ cmake ninja-build nlohmann-json3-dev libcli11-dev libfmt-dev libeigen3-dev coinor-libclp-dev \
  libnlopt-cxx-dev libnlopt-dev libsimgrid-dev libboost-dev libboost-graph-dev libgtest-dev libgmock-dev gnuplot-nox \
  librsvg2-bin"
