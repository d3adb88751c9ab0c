/// Returns the CRC-32 of bytes, computed as in annex D of the PNG specification.
package func crc32(_ bytes: some Sequence<UInt8>) -> Int {
  var register: UInt32 = 0xFFFF_FFFF
  for byte in bytes {
    register ^= UInt32(byte)
    for _ in 0..<8 { register = register & 1 == 1 ? 0xEDB8_8320 ^ (register >> 1) : register >> 1 }
  }
  return Int(~register)
}
