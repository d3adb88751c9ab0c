#!/usr/bin/env bash
# Makes the pictures in the README: covers.webp, times.webp, browser.webp, board.webp and live.webp; and those of a
# recording in a browser for the documentation of BoardServer.
#
#     make release && Documentation/pictures.sh
#
# A folder of programs other than .build/release can be given. The clips are those of `make demo`. Needs ffmpeg, and
# tmux and what `make setup-browser` installs.
set -euo pipefail
cd "$(dirname "$0")/.."
programs=$(realpath "${1:-.build/release}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CLIPCANVAS_BOARD=$folder/board.json

clipcanvas() { "$programs/clipcanvas" "$@" >> "$folder/log"; }
import() { clipcanvas board clip import "$1" "$folder/clips/$2"; }
# Makes a board of six canvases with four clips.
new_board() {
  clipcanvas board new --grid 3x2
  import c1 coast.mp4
  import c2 hills.mp4
  import c3 flower.mov
  import c4 aurora.mkv
}
keep() { ffmpeg -nostdin -y -v error "${@:2}" -quality 88 "Documentation/$1"; }

Packaging/demo-clips "$folder/clips"

# Covers: landscape clips, a square one, and one of a phone held upright, side by side.
clipcanvas batch --size 440 -o "$folder/covers" "$folder/clips"
inputs=()
for name in coast.mp4 aurora.mkv flower.mov hills.mp4; do inputs+=(-i "$folder/covers/clips/$name.png"); done
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

# The board in a browser, whose camera sees the lanterns.
ffmpeg -nostdin -y -v error -i "$folder/clips/lanterns.webm" -pix_fmt yuv420p \
  -vf "scale=640:480:force_original_aspect_ratio=increase,crop=640:480,fps=12" "$folder/camera.y4m"
new_board
python3 Documentation/browser.py "$programs/clipcanvas" "$folder"
keep browser.webp -i "$folder/browser.png"

# Each step of a recording in a browser: beside five clips, on the canvas that is left.
export CLIPCANVAS_BOARD=$folder/steps/board.json
mkdir "$folder/steps"
ln "$folder/camera.y4m" "$folder/steps"
new_board
import c5 fractal.mp4
python3 Documentation/recording.py "$programs/clipcanvas" "$folder/steps"
for picture in "$folder"/steps/recording-?.png; do
  ffmpeg -nostdin -y -v error -i "$picture" -vf "scale='min(iw,960)':-2:flags=lanczos" -q:v 4 \
    "Sources/BoardServer/BoardServer.docc/Resources/$(basename "${picture%.png}.jpg")"
done

# The board of the browser as a picture and in a terminal, while its fifth canvas records.
export CLIPCANVAS_BOARD=$folder/recording/board.json
mkdir "$folder/recording"
new_board
clipcanvas board tap c5
clipcanvas board record start
sleep 7
clipcanvas board render --size 1280x720 --labels full -o "$folder/board.png"
keep board.webp -i "$folder/board.png"
python3 Documentation/terminal.py "$programs/clipcanvas" "$folder/recording"
keep live.webp -i "$folder/recording/live.png"
