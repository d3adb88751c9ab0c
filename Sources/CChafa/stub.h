// Empty on purpose. This module exists for the compile and link flags that pkg-config gives for libchafa;
// CTerminal includes its headers itself, and Swift never sees a type of it or of GLib.
