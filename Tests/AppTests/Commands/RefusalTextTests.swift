import Testing
import TrendyDomain
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("What is said of changes that a server refused or lost")
struct RefusalTextTests {
    @Test("a value that the server did not take is named once")
    func notTaken() {
        let reason = ParkReason(
            code: .rejected, message: "the server said that it is saved, but did not take: event_type_exit_id",
            fields: [
                FieldError(
                    field: "event_type_exit_id", message: "was not changed: the server did not clear it",
                    code: FieldError.ignored)
            ])
        #expect(QueuedMutation(makeMutation(state: .parked(reason))).explanation == reason.message)
    }

    @Test("the same complaint about many records of a batch is told once, with their number")
    func equalComplaints() {
        let taken = FieldError(field: "event_type_id", message: "is taken", code: "duplicate")
        let reason = ParkReason(code: .rejected, message: "no", fields: Array(repeating: taken, count: 300))
        #expect(
            QueuedMutation(makeMutation(state: .parked(reason))).explanation == "no; event_type_id is taken (300 times)"
        )
        let problem = ProblemDetails(status: 409, errors: reason.fields)
        #expect(
            CommandFailure(APIError.http(status: 409, problem: problem)).message
                == "the server refused: event_type_id is taken (300 times)")
    }

    @Test("a change that was refused was tried once")
    func attempts() async throws {
        let shell = try TestShell()
        let server = ExchangeServer()
        let event = try #require(try await shell.json("log", "run", "--create-type")["id"]?.stringValue)
        server.reject([event], errors: [FieldError(field: "notes", message: "is too long")])
        await shell.sync(with: MockNetworkClient(exchange: server))
        let refused = try #require(try await shell.json("queue").array.first)
        #expect(refused["attempts"] == 1 && refused["last_attempt_at"] != .null, "\(refused)")
        #expect(try await shell.json("queue", "retry", "--all").array.first?["attempts"] == 0)
    }

    @Test("what a server lost is told by its kind, and its edits are no conflicts beside")
    func lost() {
        let lost = LostChanges(records: 2, deletions: 1, values: 3)
        #expect(lost.figures == "2 records, 1 deletion and 3 edited values")
        #expect(LostChanges(moves: 1, values: 1).figures == "1 move and 1 edited value")
        #expect(LostChanges(values: 1).figures == "1 edited value" && LostChanges().figures == nil)
        var report = SyncReport(pulled: 4, parked: 3, conflicts: 4, lost: 3)
        (report.lostDeletions, report.lostValues) = (1, 3)
        #expect(
            SyncReportText(report: report).left == [
                "the server lost 2 records, 1 deletion and 3 edited values (see 'trendy conflicts list')",
                "1 conflict (see 'trendy conflicts list')",
            ])
        #expect(
            ParkedChanges(refused: 0, lost: lost).facts
                == "the server lost 2 records, 1 deletion and 3 edited values: its data was restored or reset")
    }
}
