import ArgumentParser
import TrendyTerminal

/// Prints what lets the system sync now and then.
@MainActor
struct SyncInstall {
    let context: CommandContext
    let schedule: SyncSchedule

    func run() throws {
        guard let program = context.process.program(), program.hasPrefix("/") else {
            throw CommandFailure(.software, "it is not known where this program lies; start it by its absolute path")
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
                "the token of this shell is not written into files; sign in with 'trendy login', which keeps its own")
        }
    }

    private func text(_ files: ScheduleFiles) -> String {
        // The property list has its comments within; anything before it would make it none.
        if schedule == .launchd { return files.files.map(\.content).joined() }
        let head = files.files.count > 1 ? both(files) : files.files.map { "# \($0.path)\n" }.joined()
        return head + files.files.map { files.files.count > 1 ? "\n# \($0.path)\n\($0.content)" : $0.content }.joined()
    }

    private func both(_ files: ScheduleFiles) -> String {
        let lines =
            ["Two units of systemd, each for the file that is named above it. To put them to use:"]
            + files.enable.map { "  \($0)" } + ["To stop using them:"] + files.disable.map { "  \($0)" }
        return lines.map { "# \($0)\n" }.joined()
    }
}

/// What `--install` is given: the name of a schedule, or one that there is not.
struct ScheduleName: ExpressibleByArgument, CustomStringConvertible {
    private let text: String

    /// Any word: the parser says of one that it does not take only that it is too much.
    init?(argument: String) { text = argument }

    /// The schedule for the system that this runs on.
    static let native = ScheduleName(.native)

    private init(_ schedule: SyncSchedule) { text = schedule.rawValue }

    /// The help shows the default like this.
    var description: String { text }

    static var allValueStrings: [String] { SyncSchedule.allCases.map(\.rawValue) }

    /// - Throws: ``CommandFailure`` that names what there is.
    func schedule() throws -> SyncSchedule {
        if let schedule = SyncSchedule(rawValue: text) { return schedule }
        let names = Self.allValueStrings
        throw CommandFailure.usage(
            "there is nothing to install for '\(text)'; there is \(names.dropLast().joined(separator: ", ")) and "
                + "\(names.last ?? "")")
    }
}

/// What a system is given to run `trendy sync` now and then.
enum SyncSchedule: String, CaseIterable {
    /// A service and a timer of a person's systemd.
    case systemd
    /// The service alone, as the file that it becomes.
    case service
    /// The timer alone.
    case timer
    /// A property list of launchd.
    case launchd

    /// What the system that this runs on understands.
    static var native: SyncSchedule {
        #if canImport(Darwin)
            .launchd
        #else
            .systemd
        #endif
    }

    /// How many seconds lie between two syncs.
    static let interval = 300
}

/// The files by which a system runs a program now and then, and how they are put to use.
struct ScheduleFiles: Encodable {
    struct File: Encodable {
        /// Where it belongs; `~` is the home folder.
        var path: String
        var content: String
    }

    var files: [File]
    /// What to type in a shell to put them to use.
    var enable: [String]
    /// What to type to stop using them.
    var disable: [String]

    /// The files for a program.
    ///
    /// - Parameters:
    ///   - program: The absolute path of the program.
    ///   - variables: What it needs to find its folders and its server.
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

    /// The variables that a scheduled sync needs, of those that are set, with absolute paths: a system starts it in
    /// another folder.
    ///
    /// A token is left out: these files are no place for a secret.
    ///
    /// - Parameter workingFolder: What relative paths start from; nil where it is not known.
    /// - Throws: ``CommandFailure`` for a path that cannot be made absolute.
    static func variables(
        _ environment: [String: String], workingFolder: String?
    ) throws(CommandFailure) -> [String: String] {
        let names = ["TRENDY_HOME", "TRENDY_SERVER", "TRENDY_TIMEOUT"]
        var variables = environment.filter { names.contains($0.key) && !$0.value.isEmpty }
        // Relative ones are ignored, as their specification asks.
        let folders = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"]
        for name in folders where environment[name]?.hasPrefix("/") == true { variables[name] = environment[name] }
        if let home = variables["TRENDY_HOME"] {
            variables["TRENDY_HOME"] = try absolute(home, "TRENDY_HOME", workingFolder)
        } else if let home = environment["HOME"], !folders.allSatisfy({ variables[$0] != nil }), !home.hasPrefix("/") {
            throw .usage("HOME is '\(home)', which is no absolute path; set TRENDY_HOME to the folder of the data")
        }
        return variables
    }

    private static func absolute(
        _ path: String, _ name: String, _ workingFolder: String?
    ) throws(CommandFailure) -> String {
        if path.hasPrefix("/") { return path }
        guard let workingFolder else {
            throw .usage(
                "\(name) is the relative path '\(path)', and the folder that it starts from is gone; give an absolute path"
            )
        }
        return ProgramFile.normalized("\(workingFolder)/\(path)")
    }
}
