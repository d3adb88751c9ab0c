#!/usr/bin/env bash
# Makes board.png and covers.png, the pictures in the README, from clips in Fixtures/.
#
#     make release && Documentation/pictures.sh
#
# Another folder of programs than .build/release may be named. Needs ffmpeg, which only compresses them further.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$(realpath "${1:-.build/release}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CLIPCANVAS_BOARD=$folder/board.json

clipcanvas() { "$programs/clipcanvas" "$@" >> "$folder/log"; }
bring() { clipcanvas board clip import "$1" "Fixtures/$2"; }
keep() { ffmpeg -nostdin -y -v error -i "$1" -pred mixed -compression_level 9 -fflags +bitexact "Documentation/$2"; }

# A board: three clips that play, one whose cover is still to be made, a recording, and a place for another clip.
clipcanvas board new --grid 3x2
bring c1 1080p.mp4
bring c2 rotated-90.mp4
bring c4 hdr10.mp4
echo '{"event":"importClip","canvas":"c5","clip":{"path":"new.mp4"}}' | clipcanvas board apply
clipcanvas board tap c3
clipcanvas board record start
clipcanvas board render --size 960x540 -o "$folder/board.png"
keep "$folder/board.png" board.png

# Covers: upright, in square pixels, transparent, HDR in usual colours.
clipcanvas board new --force --grid 3x2
bring c1 rotated-90.mp4
bring c2 anamorphic.mp4
bring c3 vp9-alpha.webm
bring c4 1080p.mp4
bring c5 hdr10.mp4
bring c6 gray.mkv
clipcanvas board render --size 720x405 -o "$folder/covers.png"
keep "$folder/covers.png" covers.png
