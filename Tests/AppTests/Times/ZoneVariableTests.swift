import Foundation
import Testing
import TrendyNotation
import TrendyTerminal

@testable import TrendyApp

@Suite("A TZ that names no zone")
struct ZoneVariableTests {
    @Test(
        "is what is neither the name of a file of rules nor a rule",
        arguments: [
            ("Test/Zone", true), (":Test/Zone", true), ("", true), ("UTC", true), ("GMT", true), ("UTC0", true),
            ("CET-1CEST,M3.5.0,M10.5.0/3", true), ("<+03>-3", true), ("EST5EDT", true), ("/etc/hosts", true),
            ("Test", false), ("Test/Zome", false), ("Berlin", false), ("/no/such/file", false), ("<+03", false),
            ("AB3", false), ("XYZ", false),
        ])
    func names(value: String, isKnown: Bool) throws {
        let home = try TestHome()
        try FileManager.default.createDirectory(
            at: home.url.appending(path: "Test"), withIntermediateDirectories: true)
        _ = try home.write("rules", to: "Test/Zone")
        let remark = withExtendedLifetime(home) { ZoneVariable.remark(["TZ": value, "TZDIR": home.path]) }
        #expect((remark == nil) == isKnown, "\(remark ?? "")")
        #expect(remark?.contains("'\(value)'") ?? true)
    }

    @Test("is not looked for where it is not there")
    func absent() {
        #expect(ZoneVariable.remark([:]) == nil)
    }

    @MainActor
    @Test("is remarked once, and stops no command")
    func remark() async throws {
        let shell = try TestShell()
        shell.environment["TZ"] = "Europe/Berlim"
        let answer = try await shell.run("type", "add", "run", "--json")
        #expect(
            answer.status == 0 && answer.errors.hasPrefix("trendy: the time zone 'Europe/Berlim' in TZ is unknown"))
        #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
        shell.environment["TZ"] = "UTC"
        #expect(try await shell.run("list").errors.isEmpty)
    }
}
