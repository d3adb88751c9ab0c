#!/usr/bin/env bash
# Makes the pictures in the README: covers.webp, times.webp and board.webp.
#
#     make release && Documentation/pictures.sh
#
# A folder of programs other than .build/release can be given. The clips are those of `make demo`. Needs ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$(realpath "${1:-.build/release}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CLIPCANVAS_BOARD=$folder/board.json

clipcanvas() { "$programs/clipcanvas" "$@" >> "$folder/log"; }
import() { clipcanvas board clip import "$1" "$folder/clips/$2"; }
keep() { ffmpeg -nostdin -y -v error "${@:2}" -quality 88 "Documentation/$1"; }

Packaging/demo-clips "$folder/clips"

# Covers: landscape clips, a square one, and one of a phone held upright, side by side.
clipcanvas batch --size 440 -o "$folder/covers" "$folder/clips"
inputs=()
for name in coast.mp4 aurora.mkv flower.mov hills.mp4; do inputs+=(-i "$folder/covers/$name.png"); done
keep covers.webp "${inputs[@]}" -filter_complex "[0]scale=384:216[a];[1]scale=384:216[b];\
color=s=1088x440:c=black@0:d=0.04,format=rgba[z];[z][a]overlay=0:0:format=auto[p];[p][b]overlay=0:224:format=auto[q];\
[q][2]overlay=392:0:format=auto[r];[r][3]overlay=840:0:format=auto" -frames:v 1

# One clip at four times.
inputs=()
for at in 0% 33% 66% 100%; do
  clipcanvas cover --at "$at" --size 252 -o "$folder/at-$at.png" "$folder/clips/fractal.mp4"
  inputs+=(-i "$folder/at-$at.png")
done
keep times.webp "${inputs[@]}" -filter_complex "[0]format=rgba,pad=260:ih:0:0:black@0[a];\
[1]format=rgba,pad=260:ih:0:0:black@0[b];[2]format=rgba,pad=260:ih:0:0:black@0[c];[3]format=rgba[d];\
[a][b][c][d]hstack=inputs=4" -frames:v 1

# A board: three clips, one whose cover is still to be made, a recording, and an empty canvas.
clipcanvas board new --grid 3x2
import c1 coast.mp4
import c2 aurora.mkv
import c4 hills.mp4
clipcanvas board clip import --no-cover c5 "$folder/clips/flower.mov"
clipcanvas board tap c3
clipcanvas board record start
sleep 7 # The picture shows how long the recording is.
clipcanvas board render --size 960x540 --labels full -o "$folder/board.png"
keep board.webp -i "$folder/board.png"
