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
