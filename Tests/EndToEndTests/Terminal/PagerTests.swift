import Testing

@Suite("Long lists on a real terminal", .fewAtOnce)
struct PagerTests {
    @Test("what does not fit goes to the pager, in colour and as wide as the terminal", .timeLimit(.minutes(5)))
    func pager() async throws {
        let device = try Device()
        try await device.importNotes(
            (0..<30).map { "note number \($0) with more words than a narrow line has" }, type: "tea")
        let pager = ["PAGER": "sed 's/^/PAGED /'"]
        let long = try device.terminal("list", environment: pager, columns: 50, rows: 12)
        #expect(await long.ended() == 0)
        let lines = long.shown.split(whereSeparator: \.isNewline)
        #expect(lines.count > 30 && lines.allSatisfy { $0.hasPrefix("PAGED ") }, "\(long.shown)")
        #expect(long.shown.contains("\u{1B}["))
        #expect(lines.allSatisfy { visible($0.dropFirst("PAGED ".count)).count <= 50 })
        let short = try device.terminal("list", "--limit", "3", environment: pager, columns: 50, rows: 12)
        #expect(await short.ended() == 0)
        #expect(!short.shown.contains("PAGED"))
        let plain = try device.terminal(
            "list", environment: pager.merging(["NO_COLOR": "1"]) { $1 }, columns: 50, rows: 12)
        #expect(await plain.ended() == 0)
        #expect(plain.shown.contains("PAGED") && !plain.shown.contains("\u{1B}"))
    }

    @Test("Ctrl-C belongs to the pager while it runs", .timeLimit(.minutes(5)))
    func interrupted() async throws {
        let device = try Device()
        try await device.importNotes((0..<30).map { "note \($0)" }, type: "tea")
        let pager = try device.folder.write(
            "trap 'echo HEARD; exit 0' INT\ncat\necho READY\nread word < /dev/tty\n", to: "pager")
        let terminal = try device.terminal("list", environment: ["PAGER": "sh '\(pager)'"], rows: 10)
        #expect(await terminal.waits(for: "READY"))
        terminal.type("\u{3}")
        #expect(await terminal.ended() == 0)
        #expect(terminal.shown.contains("HEARD"))
    }

    /// The text without what colours it.
    private func visible(_ line: Substring) -> String {
        String(line).replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "")
    }
}
