"""The rows of the comparison table: the subject, the reference and the real recordings of each."""

from typing import NamedTuple

REFERENCE = "reference"
FAILURE = "stage and cause"


class Row(NamedTuple):
    """A row of the comparison table."""

    title: str
    oracle: str = REFERENCE
    # Paths below ../shared/clips. An arrow is followed by the cause of the expected failure.
    recordings: tuple = ()


ROWS = {
    1: Row("display matrix 90/180/270", recordings=(
        "valid/rotation/ios9.mov", "valid/rotation/video_180.mov", "valid/rotation/video_rotated.mp4",
        "valid/rotation/20240128_120909.mp4", "valid/rotation/with-gps.mov")),
    2: Row("mirrored, 45°, all-zero matrix"),
    3: Row("anamorphic", recordings=(
        "valid/anamorphic/bbb_800x640_768kbps_30fps_vp9.mp4", "valid/vfr/MOV00006.3gp")),
    4: Row("colour matrix: tagged, untagged", recordings=(
        "valid/camera_phone/bamboo.mp4", "valid/mp4_mov/bbb_480p_30s.mp4")),
    5: Row("full range", recordings=("valid/matroska_webm/book.mkv", "valid/pro_intra_codec/100_0306.AVI")),
    6: Row("reserved or nonsense colour tags", recordings=("valid/camera_phone/sample_mpeg2.m2v",)),
    7: Row("HDR10, HLG, Dolby Vision", "mean luma within 12 %, saturation at least 70 % of zscale, tonemap=hable", (
        "valid/hdr/output_hdr10_p3.mp4", "valid/hdr/multimsg-sei.hevc")),
    8: Row("alpha", "reference with alpha", (
        "valid/alpha/jpeg2000.mov", "valid/alpha/fixture.apng", "valid/pro_intra_codec/png.mov")),
    9: Row("bit depths, chroma, gray, RGB, palettes", recordings=(
        "valid/high_bit_depth/h264_10bits.mp4", "valid/high_bit_depth/apple-prores-422.mov",
        "valid/chroma_other/radialgrad-raw-10bit.mp4", "valid/mxf/video2.mxf")),
    10: Row("odd, tiny, cropped and changing sizes", recordings=(
        "valid/odd_or_tiny_size/vp9_oob_blocks.webm", "valid/odd_or_tiny_size/test5606.obu",
        "valid/odd_or_tiny_size/cityCC0.mpg")),
    11: Row("artwork, several video streams", "reference; stage and cause", recordings=(
        "valid/video_with_cover/big_buck_bunny_metadata.m4v", "valid/multi_video_stream/nasa_13013.mp4",
        "valid/audio_with_cover/bear_with_picture.flac → noVideoStream",
        "valid/audio_only/ChID_voices_6ch_256kbps_ddp.mp4 → noVideoStream")),
    12: Row("clips of 1 to 3 frames", "reference; stage and cause"),
    13: Row("much sound before the video"),
    14: Row("cut mid-GOP, open GOP, intra refresh", recordings=("valid/no_keyframe_start/v.mp4",)),
    15: Row("key-frame shortcuts that give nothing", recordings=("valid/odd_name/Sony ILCE-7M3 (A7M3).mts",)),
    16: Row("edit lists, negative times, priming", recordings=(
        "valid/edit_list/video_without_audio_stream.mp4", "valid/edit_list/example.f4v")),
    17: Row("start time, unknown or absurd duration", "reference; stage and cause", recordings=(
        "hostile/resource_bombs/mp4_duration_136_years.mp4 → damaged", "valid/vfr/FLIR Thermal.mp4")),
    18: Row("black, white, fade-in first frame"),
    19: Row("interlaced", "nearer to yadif than to the combed frame", (
        "valid/interlaced/open-incomplete-header.mxf", "valid/mp4_mov/hdv-1080i60.mov")),
    20: Row("still being recorded, truncated", "reference; stage and cause", (
        "valid/truncated_tail/sample_mdat_too_long.mp4", "hostile/trivial/mp4_no_moov.mp4 → noIndex")),
    21: Row("failure while a good cover exists", "older cover byte for byte"),
    22: Row("damage, pipes, devices", "reference; stage and cause", (
        "hostile/malformed_webm/block_ends_beyond_cluster.mkv",)),
    23: Row("16k×16k headers, huge index", FAILURE, (
        "hostile/resource_bombs/gif_65535x65535_1byte.gif → tooLarge",
        "hostile/resource_bombs/png_30000x30000_1bit.png → tooLarge")),
    24: Row("names", "corners", (
        "valid/odd_name/te[s]t_ video ' _ .flv", "valid/odd_name/example video.ogv")),
    25: Row("playlists, external references", FAILURE),
    26: Row("damaged first frame", "28 dB from an undamaged frame, or reported"),
    27: Row("cut in the first frame", "28 dB from an undamaged frame, or reported"),
    28: Row("encrypted", FAILURE),
    31: Row("cut in the header, as while being recorded", FAILURE),
    33: Row("screen recorders, old cameras", "28 dB from ffmpeg's frame"),
    34: Row("raw stream that no probe recognises", "28 dB from the stream's first frame"),
    35: Row("browser recordings without duration, at 50 %", "28 dB from the frame at that time"),
    40: Row("cut off, with the header of the whole, at 50 %", "28 dB from the frame at half of what is there"),
    42: Row("transport stream with a gap, in the gap", "28 dB from the frame before the gap"),
    44: Row("transport stream after zeros", "28 dB from the stream's first frame"),
    45: Row("beginning missing", FAILURE),
    47: Row("VP9 with spatial layers", "28 dB from the largest layer"),
    48: Row("HEVC with a hidden alpha layer", recordings=("reports/11-hevc-alpha-short.mov",)),
    49: Row("8192×4320, 10 bits, 4:2:2", "28 dB from the frame at that time"),
    50: Row("MS-MPEG4 v1, SVQ1, a GIF frame larger than its screen", recordings=(
        "reports/43-msmpeg4v1-warning.avi", "reports/44-svq1.mov", "reports/32-frame-exceeds-screen.gif")),
    53: Row("MXF with blanking lines", "28 dB from the display rectangle"),
    54: Row("several programmes", "28 dB from the largest video of the first"),
    56: Row("motion photo, the video", "28 dB from the video's first frame"),
}
