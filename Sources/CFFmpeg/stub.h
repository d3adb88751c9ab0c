// Empty on purpose. This module exists for the compile and link flags that pkg-config gives for FFmpeg's libraries;
// CCover includes their headers itself, and Swift never sees an FFmpeg type.
