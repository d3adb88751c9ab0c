#!/usr/bin/env bash
# Makes the clips that the pictures in the README show, with the ffmpeg command line alone.
#
#     Documentation/scenes.sh FOLDER
#
# Most clips repeat one frame, drawn by the filter geq: x and y run from 0 at the top left to 1 at the bottom right.
set -euo pipefail
folder=${1:?name a folder}
mkdir -p "$folder"

# Expressions of geq; 255 is full brightness. Each scene is a function of the four or five colours that it mixes, called
# once per channel. $layer counts from far to near.
x='(X/W)' y='(Y/H)'
edge() { echo "clip(($1)*H/2+0.5,0,1)"; }            # 1 inside, 0 outside, with a smooth edge
dots() { echo "255*pow(random(1),$1)*lt($y,$2)"; }    # stars above a height

clip() { # NAME SIZE RED GREEN BLUE [OPTIONS OF THE OUTPUT]
  local name=$1 size=$2 picture="format=gbrp,geq=r='$3':g='$4':b='$5',loop=24:1,setpts=N/25/TB"
  shift 5
  ffmpeg -nostdin -v error -y -f lavfi -i "color=s=$size:r=25:d=0.04,$picture" -pix_fmt yuv420p "$@" "$folder/$name"
}

# A sunset over the sea: sky, glow, sun, and its light on the water.
sunset() { # TOP MIDDLE HORIZON SUN SEA: one channel
  local d="hypot((X-W*0.5)/H,$y-0.5)" sky glow light water
  sky="if(lt($y,0.35),lerp($1,$2,$y/0.35),lerp($2,$3,clip(($y-0.35)/0.27,0,1)))"
  glow="exp(-9*$d*$d)*0.55"
  light="exp(-pow(($x-0.5)/(0.05+0.35*($y-0.6)),2))*(0.5+0.5*sin(9/($y-0.56)+2*sin(X/41)))"
  water="lerp(lerp($3,$5,clip(($y-0.6)*5+0.45,0,1))*(0.9+0.1*sin(14/($y-0.57)+3*sin(X/53))),$4,0.8*$light)"
  echo "if(lt($y,0.62),lerp(lerp($sky,$4,$glow),$4,$(edge "0.1-$d")),$water)"
}
clip sunset.mp4 960x540 "$(sunset 44 206 255 255 36)" "$(sunset 38 84 176 232 34)" "$(sunset 92 112 104 176 78)"

# Mountains in the morning: five ridges, each darker and nearer, with mist between them.
ridges() { # SKY HORIZON FARTHEST NEAREST: one channel
  local colour="lerp($1,$2,clip($y*1.6,0,1))" layer top
  for layer in 0 1 2 3 4; do
    top="0.34+0.125*$layer-0.05*(sin(($x+$layer*0.37)*(5+$layer))+0.5*sin(($x+$layer)*(13-$layer))"
    top+="+0.22*sin($x*31+$layer*2)+0.1*sin($x*77+$layer*5)+0.05*sin($x*163+$layer))"
    colour="lerp($colour,lerp(lerp($3,$4,$layer/4),$2,clip(($y-$top)*2.2,0,0.5)*(1-$layer/5)),$(edge "$y-($top)"))"
  done
  echo "$colour"
}
clip ridges.mov 960x540 "$(ridges 108 250 178 18)" "$(ridges 160 214 164 40)" "$(ridges 206 186 182 58)"

# Northern lights above a forest.
aurora() { # GROUND LOW HIGH: one channel
  local curtain=0 layer line
  for layer in 0 1 2; do
    line="($y-(0.52-0.1*$layer+0.09*sin($x*(4+$layer)+$layer*2)+0.03*sin($x*13+$layer)))"
    curtain+="+exp(-pow($line/if(gt($line,0),0.03,0.2),2))"
    curtain+="*(0.55+0.3*sin($x*47+$layer*3)+0.15*sin($x*113))*(0.8-0.2*$layer)"
  done
  local night="lerp($1,$1*2.6,$y)+$(dots 900 0.7)" tree
  tree="$y-(0.86-0.02*sin($x*9)-0.1*(0.6+0.4*sin(floor($x*46)*2.4))*(1-abs(2*mod($x*46,1)-1)))"
  echo "lerp(clip($night+($curtain)*lerp($3,$2,clip($y*2,0,1)),0,255),$1*0.35,$(edge "$tree"))"
}
clip aurora.webm 960x540 "$(aurora 10 40 150)" "$(aurora 16 235 70)" "$(aurora 36 130 190)" -c:v libvpx-vp9 -b:v 3M

# Dunes in the evening light: every crest has a lit and a shaded side.
dunes() { # SKY HORIZON LIT SHADED: one channel
  local colour="lerp($1,$2,clip($y*2.2,0,1))" layer crest side
  for layer in 0 1 2 3; do
    crest="0.44+0.14*$layer-0.09*sin($x*(3.1+0.5*$layer)+$layer*2.3)-0.02*sin($x*8+$layer*4)"
    side="clip(0.5+0.9*cos($x*(3.1+0.5*$layer)+$layer*2.3+($y-0.5)*(3+$layer))"
    side+="+0.04*sin(($y*190+sin($x*25)*5)*(1-0.15*$layer)),0,1)"
    colour="lerp($colour,lerp($4,$3,$side)*(0.8+0.07*$layer),$(edge "$y-($crest)"))"
  done
  echo "$colour"
}
clip dunes.mkv 960x540 "$(dunes 70 250 248 120)" "$(dunes 110 206 172 62)" "$(dunes 168 160 104 48)"

# A moon over a lake, recorded with the phone held upright: stored turned, with its rotation as metadata.
moon() { # HIGH LOW MOON HILLS: one channel
  local mirrored="if(gt($y,0.64),1.28-$y,$y)" sky hills d
  d="hypot((X-W*0.62)/W,($mirrored-0.24)*H/W)"
  hills="$mirrored-(0.56-0.05*sin($x*7)-0.03*sin($x*17+1)-0.008*sin($x*61))"
  sky="lerp(lerp($1,$2,$mirrored/0.64),$3,clip(exp(-22*$d*$d)*0.5+$(edge "0.13-$d"),0,1))+$(dots 700 0.5)"
  echo "clip(lerp($sky,$4,$(edge "$hills"))*if(gt($y,0.64),0.62+0.1*sin(26/($y-0.55)+4*sin(X/31)),1),0,255)"
}
clip stored.mp4 540x960 "$(moon 14 86 255 12)" "$(moon 22 104 244 22)" "$(moon 58 158 214 40)" -vf transpose=clock
ffmpeg -nostdin -v error -y -i "$folder/stored.mp4" -c copy -metadata:s:v rotate=90 "$folder/upright.mp4"
rm "$folder/stored.mp4"

# A zoom into a fractal, from one of ffmpeg's own sources: the only clip that moves.
zoom="start_x=-0.7436438:start_y=-0.1318259:start_scale=2.4:end_scale=0.004:end_pts=100:maxiter=800"
ffmpeg -nostdin -v error -y -f lavfi -i "mandelbrot=s=768x432:r=25:$zoom" -vf hue=h=170:s=0.75 -t 4 -pix_fmt yuv420p \
  "$folder/fractal.mp4"
