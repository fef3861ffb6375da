import TrendyDomain
import TrendyNotation

/// Gives the events of an iCalendar file (RFC 5545), with series as the single events that they stand for.
@MainActor
struct CalendarSource: ImportSource {
    /// Which events are wanted.
    struct Window {
        /// Nothing before it.
        var from: Timestamp?
        /// Nothing after it.
        var to: Timestamp?
        /// Where no end is given, a series that goes on ends here.
        var now: Timestamp
    }

    private var lines: ContentLineReader
    private var reader: CalendarEventReader

    /// - Parameters:
    ///   - type: The type of all events, in place of their categories.
    ///   - open: Begins to read the file from its start; called twice.
    init(
        type: String?, window: Window, scope: ImportPipeline.Scope, _ open: () throws -> any ByteSource
    ) throws {
        let outline = try CalendarOutline(try open(), local: scope.context.process.zone, scope.step)
        lines = ContentLineReader(try open())
        reader = CalendarEventReader(outline: outline, type: type, window: window)
    }

    var remarks: [String] { reader.remarks }

    mutating func refuseLast() { reader.takeBack() }

    mutating func next() throws -> ImportRow? {
        reader.begin()
        while let next = try lines.next() {
            switch next {
            case .failure(let problem): return ImportRow(line: problem.line) { throw RowProblem(problem.message) }
            case .success(let line) where line.name == "BEGIN" && line.value.uppercased() == "VEVENT":
                return try event(from: line)
            default: continue
            }
        }
        return nil
    }

    private mutating func event(from begin: ContentLine) throws -> ImportRow {
        var content: [ContentLine] = []
        var problem: CSVProblem?
        var depth = 1
        while depth > 0, let next = try lines.next() {
            switch next {
            case .failure(let found): problem = problem ?? found
            case .success(let line):
                if line.name == "BEGIN" { depth += 1 }
                if line.name == "END" { depth -= 1 }
                // What is within an alarm is not the event's.
                if depth == 1 { content.append(line) }
            }
        }
        if let problem { return ImportRow(line: problem.line) { throw RowProblem(problem.message) } }
        return ImportRow(line: begin.line) { try reader.events(content) }
    }
}
