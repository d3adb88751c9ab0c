import BoardSupport
import Testing

@Suite("Addresses to listen on")
struct ListenAddressTests {
  @Test(
    "Addresses and ports are read and written",
    arguments: [
      ("127.0.0.1:80", "127.0.0.1:80"), ("192.168.0.2", "192.168.0.2:8427"), (":0", "127.0.0.1:0"),
      ("[::1]:99", "[::1]:99"),
      ("[::1]", "[::1]:8427"), ("Studio.local:65535", "studio.local:65535"),
    ]
  )
  func valid(_ text: String, _ written: String) {
    #expect(ListenAddress(text)?.description == written)
  }

  @Test(
    "Anything else is refused",
    arguments: [
      "", ":", "a:", "a:65536", "a:-1", "::1", "[::1", "[a]:1", "a b:1", "http://a:1", "a:1/", "a:1:2", "a:٣", "9123",
      "9123:1",
    ]
  )
  func invalid(_ text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test("Only addresses of this machine are loopback addresses")
  func loopback() throws {
    for text in ["127.0.0.1", "127.9.8.7:1", "localhost", "[::1]"] {
      #expect(try #require(ListenAddress(text)).isLoopback)
    }
    for text in ["0.0.0.0", "127.evil.example", "127.1", "192.168.0.1", "[::]", "localhost.example"] {
      #expect(try !#require(ListenAddress(text)).isLoopback)
    }
  }
}
