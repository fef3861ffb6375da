import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Settings and folders")
struct ConfigurationTests {
    @Test("a flag wins over the environment, that over the file")
    func precedence() async throws {
        let home = try TestHome()
        var environment = ["TRENDY_HOME": home.path]
        let load = { (flags: [String: String], environment: [String: String]) in
            try await TrendyConfiguration.load(flags: flags, environment: environment)
        }
        #expect(try await load([:], environment).server == nil)
        _ = try home.write("{\"server\": \"https://file.example\", \"token\": \"t\"}", to: "config.json")
        #expect(try await load([:], environment).server == "https://file.example")
        #expect(try await load([:], environment).token == "t")
        environment["TRENDY_SERVER"] = "https://environment.example"
        #expect(try await load([:], environment).server == "https://environment.example")
        #expect(try await load(["server": "https://flag.example"], environment).server == "https://flag.example")
        environment["TRENDY_SERVER"] = ""
        #expect(try await load([:], environment).server == "https://file.example")
    }

    @Test("the timeout comes from TRENDY_TIMEOUT, else from the file, and must be a sensible number of seconds")
    func timeout() async throws {
        let home = try TestHome()
        let load = { (timeout: String) in
            let environment = ["TRENDY_HOME": home.path, "TRENDY_TIMEOUT": timeout]
            return try await TrendyConfiguration.load(flags: [:], environment: environment).timeout
        }
        #expect(try await load("") == nil)
        _ = try home.write("{\"timeout\": 5}", to: "config.json")
        #expect(try await load("") == 5)
        #expect(try await load("0.5") == 0.5)
        for wrong in ["soon", "0", "-1", "nan", "1e9"] {
            await #expect(throws: CommandFailure.self) { try await load(wrong) }
        }
    }

    @Test(
        "the lease of a sync outlasts the longest request, whatever the timeout", arguments: ["", "0.1", "60", "3600"])
    func lease(timeout: String) async throws {
        let environment = ["TRENDY_HOME": try TestHome().path, "TRENDY_TIMEOUT": timeout]
        let configuration = try await TrendyConfiguration.load(flags: [:], environment: environment)
        let server = try ServerAddress(parse: "https://trendy.example")
        let client = try APIClientFactory(configuration: configuration, clock: ManualWallClock())
            .makeClient(server, InMemoryCredentialStore())
        let longest = try configuration.transport(to: server).totalTimeout
        #expect(client.timeLimit == longest)
        // A request begins with five sixths of the lease left (SyncLease.keep), and a little goes by before it leaves.
        let left = Duration.milliseconds(configuration.sync.leaseDuration / 6 * 5)
        #expect(left > longest * 1.05)
    }

    @Test("a broken configuration file is named")
    func brokenFile() async throws {
        let shell = try TestShell()
        _ = try shell.home.write("{", to: "config.json")
        for command in [["sync"], ["config", "set", "timeout", "5"], ["config", "unset", "timeout"]] {
            let answer = try await shell.run(command)
            #expect(answer.status == 65)
            #expect(answer.errors.contains("config.json"), "\(answer.errors)")
            #expect(answer.errors.contains("; mend it, or move it away"), "\(answer.errors)")
        }
        let status = try await shell.run("status")
        #expect(status.status == 0 && status.errors.contains("config.json"), "\(status.errors)")
    }

    @Test("folders come from TRENDY_HOME, else from XDG, else from HOME")
    func folders() throws {
        #expect(try Folders(environment: ["TRENDY_HOME": "/t", "HOME": "/h"]) == Folders(data: "/t", config: "/t"))
        #expect(
            try Folders(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "relative"])
                == Folders(data: "/h/.local/share/trendy", config: "/h/.config/trendy"))
        #expect(
            try Folders(environment: ["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"])
                == Folders(data: "/d/trendy", config: "/c/trendy"))
        #expect(throws: CommandFailure.self) { try Folders(environment: [:]) }
    }

    @Test("logging makes the store and nothing else")
    func logging() async throws {
        let shell = try TestShell()
        #expect(try await shell.run("log", "run", "--create-type").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: shell.home.path)
        #expect(Set(names.map { $0.split(separator: ".")[0] }) == ["trendy", "standard-input"])
    }

    @Test("NO_COLOR and dumb terminals get no emphasis")
    func style() {
        #expect(Style(isTerminal: true, environment: [:]).bold("x") != "x")
        #expect(Style(isTerminal: false, environment: [:]).bold("x") == "x")
        #expect(Style(isTerminal: true, environment: ["NO_COLOR": "1"]).bold("x") == "x")
        #expect(Style(isTerminal: true, environment: ["TERM": "dumb"]).bold("x") == "x")
    }
}
