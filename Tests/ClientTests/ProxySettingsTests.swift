import Foundation
import Testing
import TrendyData

@Suite("the proxies that variables name")
struct ProxySettingsTests {
    private func route(_ url: String, _ environment: [String: String]) throws -> ProxySettings.Route {
        try ProxySettings(environment: environment).route(to: #require(URL(string: url)))
    }

    private func proxy(_ url: String, _ environment: [String: String]) throws -> Proxy? {
        guard case .through(let proxy) = try route(url, environment) else { return nil }
        return proxy
    }

    @Test(
        "the variable of the scheme counts before all_proxy, and lower case before upper case",
        arguments: [
            ("http://h", ["http_proxy": "a:1", "https_proxy": "b:2"], "http_proxy"),
            ("https://h", ["http_proxy": "a:1", "https_proxy": "b:2"], "https_proxy"),
            ("http://h", ["https_proxy": "b:2"], nil), ("https://h", ["all_proxy": "c:3"], "all_proxy"),
            ("http://h", ["ALL_PROXY": "c:3", "http_proxy": "a:1"], "http_proxy"),
            ("http://h", ["HTTP_PROXY": "a:1", "http_proxy": "b:2"], "http_proxy"),
            ("http://h", ["HTTP_PROXY": "a:1"], "HTTP_PROXY"), ("http://h", ["http_proxy": " "], nil),
            ("http://h", ["HTTP_PROXY": "a:1", "REQUEST_METHOD": "GET"], nil),
            ("https://h", ["HTTPS_PROXY": "a:1", "REQUEST_METHOD": "GET"], "HTTPS_PROXY"),
            ("http://127.0.0.1:8080", ["http_proxy": "a:1"], "http_proxy"), ("http://h", [:], nil),
        ] as [(String, [String: String], String?)])
    func precedence(_ url: String, _ environment: [String: String], _ variable: String?) throws {
        #expect(try proxy(url, environment)?.variable == variable)
    }

    @Test(
        "a proxy is read with its kind, user and password, and shown without the password",
        arguments: [
            ("proxy:3128", .http, "proxy", 3128, nil, nil), ("proxy", .http, "proxy", 1080, nil, nil),
            ("http://u%40x:p%3Aw@proxy.example:80/", .http, "proxy.example", 80, "u@x", "p:w"),
            ("HTTP://[::1]:8080", .http, "::1", 8080, nil, nil),
            ("socks5h://s:1081", .socks5, "s", 1081, nil, nil), ("socks5://s", .socks5, "s", 1080, nil, nil),
        ] as [(String, Proxy.Kind, String, Int, String?, String?)])
    func reading(
        _ text: String, _ kind: Proxy.Kind, _ host: String, _ port: Int, _ user: String?, _ password: String?
    ) throws {
        let proxy = try #require(try proxy("https://h", ["https_proxy": text]))
        let expected = Proxy(
            kind: kind, host: host, port: port, user: user, password: password.map(Secret.init), variable: "https_proxy"
        )
        #expect(proxy == expected)
        if let password { #expect(!proxy.description.contains(password)) }
    }

    @Test(
        "a value that names no proxy is refused with its variable, and without its password",
        arguments: [
            "https://proxy:3128", "ftp://proxy", "socks4://proxy", "http://", "http://proxy:0", "http://proxy:99999",
            "http://proxy:port", "http://proxy/path", "http://proxy?x", "proxy one", "socks5://u:secret@proxy",
            "http://u:secret@", "https://u:secret@proxy",
        ])
    func refused(_ text: String) throws {
        let error = #expect(throws: ProxyError.self) { _ = try proxy("https://h", ["https_proxy": text]) }
        #expect(error?.description.contains("https_proxy") == true)
        #expect(error?.description.contains("secret") == false)
        // Another scheme and an exempt host have nothing to do with it.
        #expect(try proxy("http://h", ["https_proxy": text]) == nil)
        #expect(try proxy("https://h", ["https_proxy": text, "no_proxy": "h"]) == nil)
    }

    @Test(
        "no_proxy exempts names with all below them, addresses, blocks and ports",
        arguments: [
            ("http://example.org", "example.org", true), ("http://EXAMPLE.org", "Example.ORG", true),
            ("http://a.example.org", "example.org", true), ("http://a.example.org", ".example.org", true),
            ("http://example.org", ".example.org", true), ("http://a.example.org", "*.example.org", true),
            ("http://badexample.org", "example.org", false), ("http://example.org", "a.example.org", false),
            ("http://x", "*", true), ("http://x", "a, x ,b", true), ("http://x", "a x b", true),
            ("http://x", "", false),
            ("http://x:81", "x:81", true), ("http://x:82", "x:81", false), ("http://x", "x:80", true),
            ("https://x", "x:443", true), ("https://x", "x:80", false), ("http://example.org.", "example.org", true),
            ("http://192.168.1.7", "192.168.1.7", true), ("http://192.168.1.7", "168.1.7", false),
            ("http://192.168.1.7", "192.168.0.0/16", true), ("http://192.169.1.7", "192.168.0.0/16", false),
            ("http://10.1.2.3", "10.1.2.0/23", true), ("http://10.1.4.3", "10.1.2.0/23", false),
            ("http://10.1.2.3", "0.0.0.0/0", true), ("http://x", "0.0.0.0/0", false),
            ("http://[fd00::7]", "fd00::/8", true), ("http://[fe00::7]", "fd00::/8", false),
            ("http://[::1]:8080", "::1", true), ("http://[::1]", "[::1]", true), ("http://[::1]:81", "[::1]:82", false),
            ("http://127.0.0.1:8080", "localhost", false), ("http://x", "10.0.0.0/99, ., /,:", false),
        ])
    func exemptions(_ url: String, _ list: String, _ isExempt: Bool) throws {
        for variable in ["no_proxy", "NO_PROXY"] {
            let found = try route(url, ["all_proxy": "p:1", variable: list])
            #expect((found == .exempt(variable: variable)) == isExempt)
        }
    }
}
