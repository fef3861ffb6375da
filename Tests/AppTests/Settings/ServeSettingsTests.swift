import Foundation
import Logging
import Testing
import TrendyServer
import TrendyTerminal

@testable import TrendyApp

@Suite("The settings of trendy serve")
struct ServeSettingsTests {
    private func settings(
        _ options: [ServeSetting: String] = [:], environment: [String: String] = [:], file text: String? = nil
    ) throws -> ServeSettings {
        guard let text else {
            return try ServeSettings(ServeSources(options: options, environment: environment, file: nil))
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "serve-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        return try ServeSettings(
            ServeSources(options: options, environment: environment, file: file.path(percentEncoded: false)))
    }

    private func failure(_ work: () throws -> ServeSettings) -> CommandFailure? {
        do {
            _ = try work()
            return nil
        } catch {
            return error as? CommandFailure
        }
    }

    @Test("are the usual ones where nothing is said")
    func usual() throws {
        let settings = try settings()
        #expect(settings.port == 8080 && settings.host == "127.0.0.1")
        #expect(settings.limits == ServerConfiguration.Limits() && settings.quota == AccountQuota())
        #expect(settings.log == ServerLog.Settings() && settings.metrics == nil)
    }

    @Test("are from an option, else from its variable, else from the file")
    func precedence() throws {
        let file = """
            {
              // what a thousand people need
              "rate-limit": 600, "quota-records": 100000, "quota-bytes": "50000000",
              "log-level": "info", "log-format": "json", "metrics": "127.0.0.1:9090", "port": 1, "sign-in-limit": null
            }
            """
        let fromFile = try settings(file: file)
        #expect(fromFile.limits.requestsPerMinute == 600 && fromFile.limits.signInsPerMinute == 10)
        #expect(fromFile.quota == AccountQuota(records: 100_000, bytes: 50_000_000))
        #expect(fromFile.log == ServerLog.Settings(level: .info, format: .json))
        #expect(fromFile.metrics == MetricsAddress(host: "127.0.0.1", port: 9090) && fromFile.port == 1)
        let environment = ["TRENDY_SERVE_RATE_LIMIT": "7", "TRENDY_SERVE_LOG_LEVEL": "error", "TRENDY_SERVE_PORT": ""]
        let fromEnvironment = try settings(environment: environment, file: file)
        #expect(fromEnvironment.limits.requestsPerMinute == 7 && fromEnvironment.port == 1)
        #expect(fromEnvironment.log == ServerLog.Settings(level: .error, format: .json))
        let fromOptions = try settings([.rateLimit: "8", .port: "0"], environment: environment, file: file)
        #expect(fromOptions.limits.requestsPerMinute == 8 && fromOptions.port == 0)
        #expect(try settings(file: #"{"no-rate-limit": true}"#).limits == .unlimitedRequests)
        let blocks = ["10.0.0.0/8", "192.0.2.1"].compactMap { AddressBlock($0) }
        #expect(try settings(file: #"{"trusted-proxy": ["10.0.0.0/8", "192.0.2.1"]}"#).trustedProxies == blocks)
        #expect(try settings([.trustedProxy: "10.0.0.0/8, 192.0.2.1"]).trustedProxies == blocks)
        #expect(try settings(file: #"{"closed": true}"#).isClosed && !fromFile.isClosed)
    }

    @Test(
        "that make no sense are refused, with where they were said and what would",
        arguments: [
            (#"{"rate-limit": 0}"#, "--rate-limit must be at least 1"), (#"{"log-level": "loud"}"#, "one of trace, "),
            (#"{"log-format": "xml"}"#, "text or json"), (#"{"quota-bytes": -1}"#, "--quota-bytes must be"),
            (#"{"quota-records": 1.5}"#, "--quota-records must be"), (#"{"metrics": "9090"}"#, "HOST:PORT"),
            (#"{"port": 70000}"#, "from 0 to 65535"), (#"{"no-rate-limit": "maybe"}"#, "true or false"),
            (#"{"no-rate-limit": true, "rate-limit": 3}"#, "cannot be used"),
            (#"{"connection-limit": 0}"#, "from 1 to"), (#"{"trusted-proxy": ["10.0.0.1", "proxy"]}"#, "10.0.0.0/8"),
            (#"{"trusted-proxy": []}"#, "10.0.0.0/8"),
            (#"{"data": "a", "database": "b"}"#, "cannot be used"),
            (#"{"rate_limit": 3}"#, "unknown setting 'rate_limit'; use port, "), ("[1]", "no JSON object"),
        ])
    func nonsense(file: String, words: String) {
        let failure = failure { try settings(file: file) }
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "it is taken")")
    }

    @Test("from a file that is not there are refused")
    func missingFile() {
        let failure = failure {
            try ServeSettings(ServeSources(options: [:], environment: [:], file: "/nowhere/server.json"))
        }
        #expect(failure?.status == .usage && failure?.message.contains("/nowhere/server.json") == true)
    }

    @Test("that cannot change while the server runs are told")
    func fixed() throws {
        let running = try settings([.port: "1", .rateLimit: "5"])
        #expect(
            try settings([.port: "2", .rateLimit: "6", .metrics: "a:1", .closed: "true"]).fixedDifferences(
                from: running) == [
                    "port", "metrics", "closed",
                ])
        #expect(try settings([.port: "1", .rateLimit: "6"]).fixedDifferences(from: running) == [])
    }

    @Test("have one variable each, of the option's name")
    func variables() {
        #expect(ServeSetting.signInLimit.variable == "TRENDY_SERVE_SIGN_IN_LIMIT")
        #expect(Set(ServeSetting.allCases.map(\.variable)).count == ServeSetting.allCases.count)
    }
}
