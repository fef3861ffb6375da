import Testing
import TrendyTestSupport

@testable import TrendyTerminal

@MainActor
@Suite("When progress is shown")
struct ProgressTests {
    private let clock = ManualClock()

    private let output = Output(terminal: TerminalSize(columns: 60, rows: 24))

    private func progress(
        total: Int = 10, on output: Output? = nil, _ environment: [String: String] = ["TERM": "xterm"],
        isWanted: Bool = true
    ) -> Progress {
        Progress(
            "importing", unit: "rows", total: total, on: output ?? self.output, environment, clock, isWanted: isWanted)
    }

    private var drawings: Int { output.written.count { $0 == "%" } }

    @Test("nothing in the first half second, then at most ten times a second, and nothing is left behind")
    func pace() {
        let progress = self.progress(total: 10_000)
        for _ in 0..<490 {
            clock.advance(by: .milliseconds(1))
            progress.advance()
        }
        #expect(output.written.isEmpty)
        for _ in 0..<1000 {
            clock.advance(by: .milliseconds(1))
            progress.advance()
        }
        #expect((9...11).contains(drawings))
        #expect(!output.written.hasSuffix("\r\u{1B}[K"))
        progress.end()
        #expect(output.written.hasSuffix("\r\u{1B}[K"))
        let length = output.written.count
        progress.end()
        #expect(output.written.count == length)
    }

    @Test("what else is written takes its place")
    func otherText() throws {
        let progress = self.progress()
        clock.advance(by: .seconds(1))
        progress.advance()
        try output.line("something")
        #expect(output.written.hasSuffix("\r\u{1B}[Ksomething\n"))
        progress.end()
        #expect(output.written.hasSuffix("something\n"))
    }

    @Test("only on a terminal that can take a line back, and not where nobody is to see it")
    func terminals() {
        let pipe = Output()
        for progress in [
            progress(on: pipe), progress(["TERM": "dumb"]), progress([:]), progress(isWanted: false),
        ] {
            clock.advance(by: .seconds(1))
            progress.advance()
            progress.end()
            #expect(output.written.isEmpty && pipe.written.isEmpty && !progress.isOn)
        }
    }

    @Test("NO_COLOR makes it plain")
    func plain() {
        let progress = self.progress(["TERM": "xterm", "NO_COLOR": "1"])
        clock.advance(by: .seconds(1))
        progress.advance(by: 5)
        let text = output.written
        #expect(text.utf8.allSatisfy { $0 < 0x80 } && text.contains("[#"))
        #expect(!text.dropLast(3).contains("\u{1B}"))
    }
}
