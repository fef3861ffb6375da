import ArgumentParser
import TrendyTerminal

/// Prints the files of a scheduled sync.
@MainActor
struct SyncInstall {
    let context: CommandContext
    let schedule: SyncSchedule

    func run() throws {
        guard let program = context.process.program(), program.hasPrefix("/") else {
            throw CommandFailure(.software, "the path of this program is unknown; start it by its absolute path")
        }
        let environment = context.process.environment
        let variables = try ScheduleFiles.variables(environment, workingFolder: context.process.workingFolder())
        let files = ScheduleFiles(schedule, program: program, variables: variables)
        if context.wantsJSON {
            try context.output.json(files)
        } else {
            try context.output.write(text(files))
        }
        try context.output.flush()
        if environment["TRENDY_TOKEN"]?.isEmpty == false {
            try context.remark(
                "the files do not contain TRENDY_TOKEN; sign in with 'trendy login' so that the scheduled sync has a token"
            )
        }
        let secret = ScheduleFiles.proxiesWithPassword(environment)
        if !secret.isEmpty {
            let way = schedule == .launchd ? "with 'launchctl setenv'" : "in a file in ~/.config/environment.d"
            try context.remark(
                "the files do not contain \(secret.joined(separator: " and ")), because of the password; set it \(way) "
                    + "so that the scheduled sync has a proxy")
        }
    }

    private func text(_ files: ScheduleFiles) -> String {
        // A property list has its comments inside; text before it would make it invalid.
        if schedule == .launchd { return files.files.map(\.content).joined() }
        let head = files.files.count > 1 ? both(files) : files.files.map { "# \($0.path)\n" }.joined()
        return head + files.files.map { files.files.count > 1 ? "\n# \($0.path)\n\($0.content)" : $0.content }.joined()
    }

    private func both(_ files: ScheduleFiles) -> String {
        let lines =
            ["Two systemd units follow, each below its path. To start the timer:"]
            + files.enable.map { "  \($0)" } + ["To stop the timer:"] + files.disable.map { "  \($0)" }
        return lines.map { "# \($0)\n" }.joined()
    }
}

/// The value of `--install`: the name of a schedule, or an unknown word.
struct ScheduleName: ExpressibleByArgument, CustomStringConvertible {
    private let text: String

    /// Takes any word, because the parser's error for a wrong one would be useless.
    init?(argument: String) { text = argument }

    /// The schedule for this operating system.
    static let native = ScheduleName(.native)

    private init(_ schedule: SyncSchedule) { text = schedule.rawValue }

    /// The default, as the help shows it.
    var description: String { text }

    static var allValueStrings: [String] { SyncSchedule.allCases.map(\.rawValue) }

    /// - Throws: ``CommandFailure`` with the known names.
    func schedule() throws -> SyncSchedule {
        if let schedule = SyncSchedule(rawValue: text) { return schedule }
        let names = Self.allValueStrings
        throw CommandFailure.usage(
            "--install does not take '\(text)'; use \(names.dropLast().joined(separator: ", ")) or "
                + "\(names.last ?? "")")
    }
}

/// A form of the files for a scheduled `trendy sync`.
enum SyncSchedule: String, CaseIterable {
    /// A user service and a timer of systemd.
    case systemd
    /// Only the service.
    case service
    /// Only the timer.
    case timer
    /// A property list of launchd.
    case launchd

    /// The form for this operating system.
    static var native: SyncSchedule {
        #if canImport(Darwin)
            .launchd
        #else
            .systemd
        #endif
    }

    /// The seconds between two syncs.
    static let interval = 300
}

/// The files of a scheduled sync, and the commands that start and stop it.
struct ScheduleFiles: Encodable {
    struct File: Encodable {
        /// The path; `~` is the home folder.
        var path: String
        var content: String
    }

    var files: [File]
    /// The shell commands that start the schedule.
    var enable: [String]
    /// The shell commands that stop it.
    var disable: [String]

    /// The files for a program.
    ///
    /// - Parameters:
    ///   - program: The absolute path of the program.
    ///   - variables: The environment variables for the folders, the server and the way to it.
    init(_ schedule: SyncSchedule, program: String, variables: [String: String]) {
        switch schedule {
        case .systemd, .service, .timer:
            let units = SystemdUnits(program: program, variables: variables)
            files =
                schedule == .timer
                ? [units.timer] : schedule == .service ? [units.service] : [units.service, units.timer]
            enable = SystemdUnits.enable
            disable = SystemdUnits.disable
        case .launchd:
            files = [LaunchdPropertyList(program: program, variables: variables).file]
            enable = LaunchdPropertyList.enable
            disable = LaunchdPropertyList.disable
        }
    }

    /// The variables with the address of a proxy, in both cases that the client knows.
    private static let proxies = ["http_proxy", "https_proxy", "all_proxy"].flatMap { [$0, $0.uppercased()] }

    /// The set variables that a scheduled sync needs, with absolute paths, because it runs in another folder.
    ///
    /// The token and passwords of proxies are left out: a secret does not belong into these files.
    ///
    /// - Parameter workingFolder: The base of relative paths; nil if it is unknown.
    /// - Throws: ``CommandFailure`` for a path that cannot be made absolute.
    static func variables(
        _ environment: [String: String], workingFolder: String?
    ) throws(CommandFailure) -> [String: String] {
        let paths = PathVariables.names
        let names = paths + ["TRENDY_SERVER", "TRENDY_TIMEOUT", "no_proxy", "NO_PROXY"] + proxies
        let secret = proxiesWithPassword(environment)
        var variables = environment.filter {
            names.contains($0.key) && !$0.value.isEmpty && !secret.contains($0.key)
        }
        // The XDG specification says that relative paths are ignored.
        let folders = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"]
        for name in folders where environment[name]?.hasPrefix("/") == true { variables[name] = environment[name] }
        for name in paths {
            if let path = variables[name] { variables[name] = try absolute(path, name, workingFolder) }
        }
        if variables["TRENDY_HOME"] == nil, let home = environment["HOME"], !home.hasPrefix("/"),
            !folders.allSatisfy({ variables[$0] != nil })
        {
            throw .usage("HOME is '\(home)', which is not an absolute path; set TRENDY_HOME to the folder of the data")
        }
        return variables
    }

    /// The set variables with a password for a proxy: with a colon between the scheme and an `@`.
    static func proxiesWithPassword(_ environment: [String: String]) -> [String] {
        proxies.filter { name in
            guard let value = environment[name], let end = value.lastIndex(of: "@") else { return false }
            return value[..<end].replacing("://", with: "", maxReplacements: 1).contains(":")
        }
    }

    private static func absolute(
        _ path: String, _ name: String, _ workingFolder: String?
    ) throws(CommandFailure) -> String {
        if PathVariables.isAbsolute(path, of: name) { return path }
        guard let workingFolder else {
            throw .usage(
                "\(name) is the relative path '\(path)', and the working folder was deleted; give an absolute path"
            )
        }
        return PathVariables.absolute(path, of: name, in: workingFolder)
    }
}
