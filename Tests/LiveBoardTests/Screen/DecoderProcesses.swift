import SystemPackage
import TestSupport

/// Returns the IDs of the processes started with the path of this decoder.
func processes(of decoder: FilePath) throws -> [String] {
  try ScratchFolder.names(in: "/proc").filter { name in
    guard Int(name) != nil, let words = try? ScratchFolder.read(FilePath("/proc/\(name)/cmdline")) else {
      return false
    }
    return words.starts(with: decoder.string.utf8)
  }
}
