import Foundation
import Testing
import TrendyDomain
import TrendyProcesses
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("trendy sync --install")
struct SyncInstallTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
        shell.program = "/opt/my tools/\"100%\"/trendy"
        shell.environment["TRENDY_SERVER"] = "https://a.example/?x=1&y=<2>"
    }

    @Test("launchd gets a property list that can be read, with the absolute path and the folders")
    func launchd() async throws {
        let answer = try await shell.run("sync", "--install", "launchd")
        #expect(answer.status == 0, "\(answer.errors)")
        let list = try #require(
            try PropertyListSerialization.propertyList(from: Data(answer.output.utf8), format: nil) as? [String: Any])
        #expect(list["ProgramArguments"] as? [String] == [shell.program, "sync"])
        #expect(
            list["EnvironmentVariables"] as? [String: String] == [
                "TRENDY_HOME": shell.home.path, "TRENDY_SERVER": "https://a.example/?x=1&y=<2>",
            ])
        #expect(list["StartInterval"] as? Int == 300)
        #expect(answer.output.contains("launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/org.trendy.sync.plist"))
    }

    @Test("the help names the schedule of this system as a word")
    func help() async throws {
        let help = try await shell.output("sync", "--help")
        #expect(help.contains("default: \(SyncSchedule.native.rawValue)") && !help.contains("ScheduleName"), "\(help)")
    }

    @Test("systemd gets a service and a timer, with the commands that enable them")
    func systemd() async throws {
        let both = try await shell.run("sync", "--install", "systemd").output
        for line in [
            "ExecStart=\"/opt/my tools/\\\"100%%\\\"/trendy\" sync", "Environment=\"TRENDY_HOME=\(shell.home.path)\"",
            "OnUnitInactiveSec=300", "WantedBy=timers.target", "#   systemctl --user enable --now trendy-sync.timer",
        ] {
            #expect(both.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
        let service = try await shell.run("sync", "--install", "service").output
        let timer = try await shell.run("sync", "--install", "timer").output
        #expect(service.contains("[Service]") && !service.contains("[Timer]"))
        #expect(timer.contains("[Timer]") && !timer.contains("[Service]"))
        let json = try await shell.json("sync", "--install", "systemd")
        #expect(json["files"]?.array.compactMap { $0["content"]?.stringValue }.allSatisfy(both.contains) == true)
    }

    @Test(
        "systemd finds nothing wrong with its units",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func verified() async throws {
        shell.program = "/bin/true"
        for kind in ["service", "timer"] {
            let text = try await shell.run("sync", "--install", kind).output
            _ = try shell.home.write(text, to: "trendy-sync.\(kind)")
        }
        let units = ["service", "timer"].map { shell.home.path + "/trendy-sync.\($0)" }
        // It asks for a folder of the session, which only a login makes.
        let transcript = try await ChildProcess.run(
            "/usr/bin/systemd-analyze", ["--user", "--man=no", "verify"] + units,
            environment: ["XDG_RUNTIME_DIR": shell.home.path, "PATH": "/usr/bin:/bin"])
        #expect(
            transcript.exit == .code(0) && !transcript.errors.contains("trendy-sync"), "\(transcript.errors)")
    }

    @Test("without a word it is for this system; a token is not written down, and nothing else goes with it")
    func rest() async throws {
        shell.environment["TRENDY_TOKEN"] = "very-secret"
        let answer = try await shell.run("sync", "--install")
        #if canImport(Darwin)
            #expect(answer.output.contains("<plist"))
        #else
            #expect(answer.output.contains("[Timer]"))
        #endif
        #expect(!answer.output.contains("very-secret") && answer.errors.contains("trendy login"))
        #expect(try await shell.run("sync", "--install", "--full").status == 64)
        #expect(try await shell.run("sync", "--install", "cron").status == 64)
        #expect(!FileManager.default.fileExists(atPath: shell.home.path + "/trendy.sqlite"))
    }

    @Test("the way to the server is the same for the scheduled sync; a proxy's password is not written down")
    func network() async throws {
        let way = [
            "https_proxy": "http://proxy.example.org:3128", "ALL_PROXY": "http://ann@proxy.example.org:3128",
            "no_proxy": "localhost,.example.org", "SSL_CERT_DIR": "/certificates",
        ]
        shell.environment.merge(way) { $1 }
        shell.environment["http_proxy"] = "http://ann:very-secret@proxy.example.org:3128"
        shell.environment["SSL_CERT_FILE"] = "authority.pem"
        shell.workingFolder = "/work"
        let launchd = try await shell.run("sync", "--install", "launchd")
        let list = try #require(
            try PropertyListSerialization.propertyList(from: Data(launchd.output.utf8), format: nil) as? [String: Any])
        let server = try #require(shell.environment["TRENDY_SERVER"])
        let rest = ["TRENDY_HOME": shell.home.path, "TRENDY_SERVER": server, "SSL_CERT_FILE": "/work/authority.pem"]
        #expect(list["EnvironmentVariables"] as? [String: String] == way.merging(rest) { $1 })
        #expect(launchd.errors.contains("do not contain http_proxy, because of the password"), "\(launchd.errors)")
        #expect(launchd.errors.contains("launchctl setenv"), "\(launchd.errors)")
        let service = try await shell.run("sync", "--install", "service")
        for (name, value) in way { #expect(service.output.contains("Environment=\"\(name)=\(value)\"")) }
        #expect(!service.output.contains("very-secret") && service.errors.contains("~/.config/environment.d"))
        shell.environment["http_proxy"] = nil
        #expect(try await shell.run("sync", "--install", "service").errors.isEmpty)
    }

    @Test(
        "a proxy has a password where a colon stands before its host",
        arguments: [
            ("http://ann:x@proxy:3128", true), ("ann:x@proxy", true), ("ann:x://y@proxy", true),
            ("http://ann@proxy:3128", false), ("http://ann@[::1]:3128", false), ("proxy:3128", false),
        ])
    func password(value: String, hasPassword: Bool) {
        #expect(ScheduleFiles.proxiesWithPassword(["https_proxy": value]) == (hasPassword ? ["https_proxy"] : []))
    }

    @Test("folders are absolute, wherever the system starts the program; what cannot be made so is refused")
    func relativeFolders() throws {
        func variables(_ environment: [String: String], in folder: String? = "/work/here") throws -> [String: String] {
            try ScheduleFiles.variables(environment, workingFolder: folder)
        }
        #expect(try variables(["TRENDY_HOME": "./rel//data"]) == ["TRENDY_HOME": "/work/here/rel/data"])
        #expect(try variables(["TRENDY_CA_FILE": "own.pem"]) == ["TRENDY_CA_FILE": "/work/here/own.pem"])
        #expect(try variables(["TRENDY_HOME": "../rel"]) == ["TRENDY_HOME": "/work/here/../rel"])
        #expect(try variables(["TRENDY_HOME": "/abs"], in: nil) == ["TRENDY_HOME": "/abs"])
        #expect(throws: CommandFailure.self) { try variables(["TRENDY_HOME": "rel"], in: nil) }
        let mixed = ["XDG_CONFIG_HOME": "rel", "XDG_DATA_HOME": "/data", "HOME": "/home/a"]
        #expect(try variables(mixed) == ["XDG_DATA_HOME": "/data"])
        #expect(throws: CommandFailure.self) { try variables(["HOME": "rel"]) }
    }

    @Test("a relative folder is absolute in what is printed, for each system; without a working folder it is refused")
    func relativeHome() async throws {
        let (name, folder) = (shell.home.url.lastPathComponent, shell.home.url.deletingLastPathComponent())
        let parent = folder.path(percentEncoded: false)
        shell.environment["TRENDY_HOME"] = name
        shell.workingFolder = parent
        let absolute = ProgramFile.normalized("\(parent)/\(name)")
        #expect(
            try await shell.run("sync", "--install", "service").output
                .contains("Environment=\"TRENDY_HOME=\(absolute)\""))
        #expect(try await shell.run("sync", "--install", "launchd").output.contains("<string>\(absolute)</string>"))
        shell.workingFolder = nil
        let refused = try await shell.run("sync", "--install", "service")
        #expect(refused.status == 64 && refused.output.isEmpty && refused.errors.contains("TRENDY_HOME"))
        shell.workingFolder = parent
        shell.program = "trendy"
        #expect(try await shell.run("sync", "--install", "service").status == 70)
    }

    @Test("the path is the one by which the program was started")
    func path() throws {
        let home = try TestHome()
        let file = try home.write("", to: "trendy")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        let find = { (word: String, folder: String, path: String) in
            ProgramFile.invoked(as: word, in: folder, path: path)
        }
        let plain = "/" + home.path.split(separator: "/").joined(separator: "/")
        #expect(find("./trendy", plain, "") == "\(plain)/trendy")
        #expect(find("\(plain)//./trendy", "/", "") == "\(plain)/trendy")
        #expect(find("trendy", "/", "/nowhere:\(plain)") == "\(plain)/trendy")
        #expect(find("trendy", plain, "/nowhere:") == "\(plain)/trendy")
        #expect(find("trendy", plain, "/nowhere") == nil)
    }
}
