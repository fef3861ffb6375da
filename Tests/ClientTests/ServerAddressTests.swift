import Foundation
import Testing
import TrendyData

@Suite("server addresses")
struct ServerAddressTests {
    @Test(
        "every form of one address is the same",
        arguments: [
            "https://trendy.example.org", "https://trendy.example.org/", "  https://Trendy.Example.org///\n",
            "HTTPS://trendy.example.org/api/v1", "https://trendy.example.org/api/v1/",
        ])
    func forms(_ text: String) throws {
        #expect(try ServerAddress(parse: text).description == "https://trendy.example.org")
    }

    @Test(
        "port and path are kept",
        arguments: [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:9/", "http://[::1]:9"),
            ("https://h/trendy/api/v1/", "https://h/trendy"), ("https://h/a%20b/", "https://h/a%20b"),
        ])
    func parts(_ text: String, _ expected: String) throws {
        #expect(try ServerAddress(parse: text).description == expected)
    }

    @Test(
        "the path is without the base path of the routes, whatever that is, also when it was written and read again",
        arguments: [
            ("https://h/api/v1", "", "https://h/api/v1"), ("https://h/api/v1/", "/v2", "https://h/api/v1"),
            ("https://h/x/v2", "/v2", "https://h/x"), ("https://h/", "", "https://h"),
        ])
    func basePaths(_ text: String, _ basePath: String, _ expected: String) throws {
        let address = try ServerAddress(parse: text, basePath: basePath)
        #expect(address.description == expected)
        let copy = try JSONDecoder().decode(ServerAddress.self, from: JSONEncoder().encode(address))
        #expect(copy == address)
    }

    @Test(
        "what is no address is refused with a reason",
        arguments: [
            "", " ", "example.org", "localhost:8080", "ftp://h", "file:///etc/passwd", "https://", "http:///path",
            "https://user:password@h", "https://h?x=1", "https://h/#f", "https://h:0", "https://h:99999", "https://a b",
            "javascript://x", "https://trendy.example\u{200B}.org", "https://h\u{0}", "\u{FEFF}https://h",
        ])
    func refusals(_ text: String) {
        let error = #expect(throws: ServerAddressError.self) { try ServerAddress(parse: text) }
        #expect(error?.description.isEmpty == false)
        #expect(error?.description.contains("password@") == false)
    }
}
