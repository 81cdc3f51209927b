# Shared by the scripts in this folder; source it, do not run it.
# shellcheck shell=bash

set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/fovea
# shellcheck source=scripts/llama.pin
source "$ROOT/scripts/llama.pin"

sha256() { if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi; }

# Waits until no other process holds the lock on an open file descriptor, where the system can tell.
lock() { if command -v flock >/dev/null 2>&1; then flock "$1"; fi; }

say() { printf 'fovea: %s\n' "$*" >&2; }
fail() { printf 'fovea: error: %s\n' "$*" >&2; exit 1; }

# Build flags of the native libraries. A native build only runs on processors like this one, so the
# processor's features are part of the cache key; FOVEA_PORTABLE=1 builds for any x86-64 or arm64.
llama_flags() {
  local flags="-DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON"
  flags+=" -DBUILD_SHARED_LIBS=OFF -DGGML_OPENMP=OFF -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF"
  flags+=" -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF"
  flags+=" -DLLAMA_BUILD_TOOLS=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_APP=OFF"
  flags+=" -DLLAMA_BUILD_MTMD=ON -DMTMD_VIDEO=OFF"
  if [ "${FOVEA_PORTABLE:-0}" = 1 ]; then flags+=" -DGGML_NATIVE=OFF"; else flags+=" -DGGML_NATIVE=ON"; fi
  # Some virtual machines announce AMX and grant it, but its instructions end the process.
  if [ "$(uname -m)" = x86_64 ]; then
    flags+=" -DCMAKE_C_FLAGS=-mno-amx-int8 -DCMAKE_CXX_FLAGS=-mno-amx-int8"
  fi
  printf '%s' "$flags"
}

cpu_features() {
  if [ "${FOVEA_PORTABLE:-0}" = 1 ]; then echo portable; return; fi
  uname -m
  if [ -r /proc/cpuinfo ]; then
    grep -m1 -E '^(flags|Features)' /proc/cpuinfo | tr ' ' '\n' | sort -u || true
  else
    sysctl -n machdep.cpu.brand_string
  fi
}

# Folder of the installed native libraries: version, flags, recipe and processor in one key.
# Raise RECIPE when scripts/setup corrects something else or installs something else from the same build.
RECIPE=4
llama_prefix() {
  local key
  key=$( { echo "$RECIPE"; llama_flags; cpu_features; } | sha256 | cut -c1-12)
  printf '%s/llama-%s-%s' "$CACHE" "$LLAMA_PIN_VERSION" "$key"
}

# Runs a command with administrator rights, or says what to run.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null 2>&1; then sudo "$@"
  else return 127
  fi
}

# Installs the named Debian packages that are missing. Quick when nothing is.
need_packages() {
  local missing=() p
  for p in "$@"; do
    if ! dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok installed'; then missing+=("$p"); fi
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null 2>&1 || fail "this system has no apt-get; install by hand what Debian calls: ${missing[*]}"
  say "installing Debian packages: ${missing[*]}"
  local tell="run this as root, then start again: apt-get install ${missing[*]}"
  if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then fail "not root and no sudo; $tell"; fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 || fail "apt-get update failed; $tell"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt-get install failed; $tell"
}
