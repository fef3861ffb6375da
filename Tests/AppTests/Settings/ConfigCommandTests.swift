import Foundation
import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("trendy config")
struct ConfigCommandTests {
    private func source(_ key: String, _ shell: TestShell, _ arguments: String...) async throws -> [String?] {
        let answer = try await shell.run(["config", "list", "--json"] + arguments).json()
        let setting = try #require(answer.array.first { $0["key"]?.stringValue == key })
        return [setting["value"]?.stringValue, setting["source"]?.stringValue]
    }

    private func file(_ shell: TestShell) throws -> String {
        try String(contentsOfFile: shell.home.path + "/config.json", encoding: .utf8)
    }

    @Test("each setting is listed with its value and where that is from")
    func sources() async throws {
        let shell = try TestShell()
        #expect(try await source("server", shell) == [nil, "default"])
        #expect(try await source("timeout", shell) == ["15", "default"])
        _ = try shell.home.write("{\"server\": \"https://file.example\", \"timeout\": 2.5}", to: "config.json")
        #expect(try await source("server", shell) == ["https://file.example", "file"])
        #expect(try await source("timeout", shell) == ["2.5", "file"])
        shell.environment["TRENDY_SERVER"] = "https://environment.example"
        #expect(try await source("server", shell) == ["https://environment.example", "environment"])
        let flag = try await source("server", shell, "--server", "https://flag.example")
        #expect(flag == ["https://flag.example", "flag"])
        let table = try await shell.run("config", "list")
        #expect(table.output.contains("environment (TRENDY_SERVER)"))
        #expect(try await shell.run("config", "get", "timeout").output == "2.5\n")
        #expect(try await shell.run("config", "get", "token").output == "\n")
    }

    @Test("every setting has a name, a meaning, what it takes, and a default or what holds without")
    func registry() {
        for setting in Setting.all {
            #expect(!setting.meaning.isEmpty && !setting.meaning.hasSuffix("."))
            #expect(setting.variable.allSatisfy { $0.isUppercase || $0 == "_" })
            #expect(setting.standard != nil || !setting.withoutStandard.isEmpty)
            if let standard = setting.standard { #expect(throws: Never.self) { try setting.kind.value(standard) } }
        }
        #expect(Setting.all.map(\.key) == Setting.all.map(\.key).sorted())
    }

    @Test("a choice takes its words alone, in any case, and offers them")
    func choice() throws {
        let kind = SettingKind.choice(["point", "comma"])
        #expect(try kind.value("Comma") == "comma")
        #expect(kind.choices == ["point", "comma"])
        let failure = #expect(throws: CommandFailure.self) { try kind.value("dash") }
        #expect(failure?.message == "it takes one of point, comma")
    }

    @Test("a file of certificates is looked into when it is set, and again when it is used")
    func certificates() async throws {
        let shell = try TestShell()
        shell.workingFolder = shell.home.path
        for (name, text, reason) in [
            ("none.pem", nil, "there is no file"), ("words.pem", "no certificate", "holds no certificate"),
            (".", nil, "is a folder"),
            ("cut.pem", "-----BEGIN CERTIFICATE-----\nMIIB", "certificate 1 in"),
        ] as [(String, String?, String)] {
            if let text { _ = try shell.home.write(text, to: name) }
            let answer = try await shell.run("config", "set", "ca-file", name)
            #expect(answer.status == 65 && answer.errors.contains(reason), "\(answer.errors)")
            #expect(answer.errors.contains("'ca-file'") && answer.errors.contains(shell.home.path))
        }
        _ = try shell.home.write(ServerCertificate.text, to: "own.pem")
        #expect(try await shell.run("config", "set", "ca-file", "own.pem").status == 0)
        #expect(try await source("ca-file", shell) == ["\(shell.home.path)/own.pem", "file"])
        try FileManager.default.removeItem(atPath: shell.home.path + "/own.pem")
        let local = try await shell.run("log", "run", "--create-type")
        #expect(local.status == 0 && local.errors.contains("continuing without it"), "\(local)")
        let failed = try await shell.run("login", "--server", "https://127.0.0.1:1", "--email", "a@example.org")
        #expect(failed.status == 64 && failed.errors.contains("ca-file"), "\(failed.errors)")
        #expect(failed.errors.contains("trendy config set ca-file"))
    }

    @Test("set writes a value that is used, and keeps comments and other keys")
    func set() async throws {
        let shell = try TestShell()
        _ = try shell.home.write(
            "{\n  // slow line\n  \"timeout\": 5, // s\n  \"theme\": \"dark\"\n}\n", to: "config.json")
        let answer = try await shell.run("config", "set", "timeout", "30")
        #expect(answer.status == 0 && answer.output.hasPrefix("set timeout to 30 in "))
        #expect(try file(shell) == "{\n  // slow line\n  \"timeout\": 30, // s\n  \"theme\": \"dark\"\n}\n")
        #expect(try await TrendyConfiguration.load(flags: [:], environment: shell.environment).timeout == 30)
        #expect(try await shell.run("config", "set", "AutoSync", "no").status == 0)
        #expect(try await TrendyConfiguration.load(flags: [:], environment: shell.environment).autosync == false)
        let list = try await shell.run("config", "list")
        #expect(list.errors.contains("'theme', which is no setting"))
        #expect(try await shell.run("config", "unset", "theme").status == 0)
        #expect(try await shell.run("config", "unset", "timeout").output.contains("it is 15 now"))
        #expect(try file(shell) == "{\n  // slow line\n   // s\n  \"autosync\": false\n}\n")
    }

    @Test(
        "a value that makes no sense is refused, and nothing is written",
        arguments: [
            ["timeout", "soon"], ["timeout", "-5"], ["timeout", "nan"], ["autosync", "perhaps"], ["server", "nowhere"],
            ["token", " "], ["sever", "https://a.example"], ["timeout"], ["timeout", "1", "2"], [],
        ])
    func refused(arguments: [String]) async throws {
        let shell = try TestShell()
        let answer = try await shell.run(["config", "set"] + arguments)
        #expect([64, 65].contains(answer.status), "\(arguments)")
        #expect(!FileManager.default.fileExists(atPath: shell.home.path + "/config.json"))
    }

    @Test("a token goes to no other server than the one that a damaged file may have named")
    func tokenWithoutServer() throws {
        let shell = try TestShell()
        _ = try shell.home.write("{\"server\": \"https://work.example\",, }", to: "config.json")
        shell.environment["TRENDY_TOKEN"] = "of work"
        shell.environment["TRENDY_SERVER"] = nil
        #expect(try TrendyConfiguration.usable(flags: [:], environment: shell.environment).configuration.token == nil)
        shell.environment["TRENDY_SERVER"] = "https://work.example"
        let (configuration, problems) = try TrendyConfiguration.usable(flags: [:], environment: shell.environment)
        #expect(configuration.token == "of work" && problems.count == 1)
    }

    @Test("the nearest setting is suggested for one that there is not")
    func suggestion() async throws {
        let shell = try TestShell()
        for command in ["get", "unset"] {
            let answer = try await shell.run("config", command, "tiemout")
            #expect(answer.status == 65 && answer.errors.contains("did you mean 'timeout'?"))
        }
    }

    @Test(
        "settings that cannot be used are told, and stop no work on this device",
        arguments: [
            "{\"timeout\": \"x\"}", "{\"autosync\": \"perhaps\"}",
            "{\"server\": \"nowhere\", \"token\": \"t\"}", "{bad",
        ])
    func goesOn(text: String) async throws {
        let shell = try TestShell()
        _ = try await shell.json("type", "add", "coffee")
        _ = try shell.home.write(text, to: "config.json")
        for command in [["coffee"], ["list"], ["status"], ["undo"]] {
            let answer = try await shell.run(command)
            #expect(answer.status == 0, "\(command): \(answer.errors)")
            #expect(answer.errors.contains("trendy: continuing without it: the "), "\(answer.errors)")
            #expect(answer.errors.contains("config.json"), "\(answer.errors)")
        }
        #expect(try await shell.run("sync").status != 0)
        let doctor = try await shell.run("doctor", "--json")
        #expect([64, 65].contains(doctor.status) && !doctor.errors.contains("going on"), "\(doctor.errors)")
        let checks = try #require(try doctor.json()["checks"]).array
        let problems = checks.filter { $0["level"] == "problem" }
        #expect(problems.compactMap { $0["check"] } == ["settings"])
        #expect(problems.first?["remedy"]?.stringValue?.isEmpty == false)
        #expect(checks.count > 5)
    }

    @Test("settings that cannot be used stop a sync, and can be mended")
    func mended() async throws {
        let shell = try TestShell()
        _ = try shell.home.write("{\"timeout\": \"soon\", \"autosync\": [1]}", to: "config.json")
        let answer = try await shell.run("sync")
        #expect(answer.status == 64)
        #expect(answer.errors.contains("config.json") && answer.errors.contains("trendy config set timeout"))
        #expect(try await shell.run("config", "list").output.contains("cannot be used"))
        #expect(try await shell.run("config", "set", "timeout", "5").status == 0)
        #expect(try await shell.run("config", "unset", "autosync").status == 0)
        #expect(try await !shell.run("list").errors.contains("going on"))
    }

    @Test("a token is not shown unless it is asked for, and its file is for its owner alone")
    func secret() async throws {
        let shell = try TestShell()
        let path = try shell.home.write("{}", to: "config.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(try await shell.run("config", "set", "timeout", "5").status == 0)
        #expect(try permissions(path) == 0o644)
        let answer = try await shell.run("config", "set", "token", "s3cret-token")
        #expect(answer.status == 0 && !answer.output.contains("s3cret"))
        #expect(try permissions(path) == 0o600)
        for arguments in [["config", "list"], ["config", "list", "--json"]] {
            let list = try await shell.run(arguments)
            #expect(!list.output.contains("s3cret") && list.output.contains("********"))
        }
        #expect(try await shell.run("config", "get", "token").output == "s3cret-token\n")
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a link to the file stays a link")
    func link() async throws {
        let shell = try TestShell()
        let target = try shell.home.write("{}", to: "elsewhere.json")
        try FileManager.default.createSymbolicLink(
            atPath: shell.home.path + "/config.json", withDestinationPath: target)
        #expect(try await shell.run("config", "set", "timeout", "5").status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8).contains("\"timeout\": 5"))
        let names = try FileManager.default.contentsOfDirectory(atPath: shell.home.path)
        #expect(Set(names) == ["config.json", "elsewhere.json", "standard-input"])
    }

    @Test("an environment variable that wins over the file is pointed out")
    func shadowed() async throws {
        let shell = try TestShell()
        shell.environment["TRENDY_TIMEOUT"] = "3"
        #expect(try await shell.run("config", "set", "timeout", "5").errors.contains("TRENDY_TIMEOUT is set"))
    }
}

/// A certificate that signs itself.
private enum ServerCertificate {
    static let text = """
        -----BEGIN CERTIFICATE-----
        MIIBpzCCAU2gAwIBAgIUH89g7jEL7XOYrP60rgFLz/nHpIwwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVVHJlbmR5IHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyNzE4MTU0
        NFoYDzIxMjYxMTAzMTgxNTQ0WjAgMR4wHAYDVQQDDBVUcmVuZHkgdGVzdCBhdXRo
        b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARLH6RRaKNESwfk0RDMGtKe
        pe7dIoW95XXk2zljG9PJhcqg8buz3kktDg4fjoqqw0gNJBd7AOAGSeneaVaww8oi
        o2MwYTAdBgNVHQ4EFgQU3oTZZ59N9HlErYSW103C+1NOg9MwHwYDVR0jBBgwFoAU
        3oTZZ59N9HlErYSW103C+1NOg9MwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8E
        BAMCAgQwCgYIKoZIzj0EAwIDSAAwRQIhAOCzrQCqaYRK1VnnwN05+mzRwlZyo9MH
        Ttr6lvqKEyyTAiAtqQ4tYwCzgiRqS9D0CKbJYH2RzR/7jBJ81D/UEBZb/Q==
        -----END CERTIFICATE-----
        """
}
