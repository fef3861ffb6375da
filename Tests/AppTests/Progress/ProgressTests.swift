import Testing
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("When progress is shown")
struct ProgressTests {
    private let clock = ManualClock()

    private func context(
        _ environment: [String: String] = ["TERM": "xterm"], isTerminal: Bool = true, json: Bool = false
    ) -> CommandContext {
        let errors = isTerminal ? Output(terminal: TerminalSize(columns: 60, rows: 24)) : Output()
        let process = ProcessContext(
            environment: environment, input: StandardInput(descriptor: -1), output: Output(), errors: errors,
            wallClock: ManualWallClock(), identifiers: SequentialIdentifiers(), zone: .utc, clock: clock)
        let folders = Folders(data: "/nowhere", config: "/nowhere")
        let root = CompositionRoot(configuration: TrendyConfiguration(folders: folders), process: process)
        return CommandContext(root: root, wantsJSON: json)
    }

    private func drawings(_ context: CommandContext) -> Int {
        context.errors.written.count { $0 == "%" }
    }

    @Test("nothing in the first half second, then at most ten times a second, and nothing is left behind")
    func pace() {
        let context = context()
        let progress = Progress(context, "importing", unit: "rows", total: 10_000)
        for _ in 0..<490 {
            clock.advance(by: .milliseconds(1))
            progress.advance()
        }
        #expect(context.errors.written.isEmpty)
        for _ in 0..<1000 {
            clock.advance(by: .milliseconds(1))
            progress.advance()
        }
        #expect((9...11).contains(drawings(context)))
        #expect(!context.errors.written.hasSuffix("\r\u{1B}[K"))
        progress.end()
        #expect(context.errors.written.hasSuffix("\r\u{1B}[K"))
        let length = context.errors.written.count
        progress.end()
        #expect(context.errors.written.count == length)
    }

    @Test("what else is written takes its place")
    func otherText() throws {
        let context = context()
        let progress = Progress(context, "importing", unit: "rows", total: 10)
        clock.advance(by: .seconds(1))
        progress.advance()
        try context.remark("something")
        #expect(context.errors.written.hasSuffix("\r\u{1B}[Ktrendy: something\n"))
        progress.end()
        #expect(context.errors.written.hasSuffix("something\n"))
    }

    @Test("only on a terminal that can take a line back, and not beside JSON")
    func terminals() {
        for context in [
            context(isTerminal: false), context(["TERM": "dumb"]), context([:]), context(json: true),
        ] {
            let progress = Progress(context, "importing", unit: "rows", total: 10)
            clock.advance(by: .seconds(1))
            progress.advance()
            progress.end()
            #expect(context.errors.written.isEmpty && !progress.isOn)
        }
    }

    @Test("NO_COLOR makes it plain")
    func plain() {
        let context = context(["TERM": "xterm", "NO_COLOR": "1"])
        let progress = Progress(context, "importing", unit: "rows", total: 10)
        clock.advance(by: .seconds(1))
        progress.advance(by: 5)
        let text = context.errors.written
        #expect(text.utf8.allSatisfy { $0 < 0x80 } && text.contains("[#"))
        #expect(!text.dropLast(3).contains("\u{1B}"))
    }
}
