import Testing
import TrendyData
import TrendyDomain
import TrendyServer
import TrendySync

@testable import TrendyApp

@Suite("Exit codes")
struct CommandFailureTests {
    static let cases: [(any Error, CommandStatus)] = [
        (ValidationError(entityType: .event, fields: [FieldError(field: "notes", message: "is bad")]), .data),
        (SyncEngineError.notFound(entityType: .event, id: "x"), .data),
        (StoreError.busy, .tryLater), (StoreError.newerVersion(found: "9", supported: "1"), .data),
        (StoreError.corrupt("x"), .data), (StoreError.inaccessible("x"), .cannotCreate),
        (StoreError.failed("x"), .software),
        (APIError.connection("x"), .unavailable), (APIError.timeout, .unavailable),
        (APIError.notAServer("x"), .unavailable),
        (APIError.malformedResponse("x"), .unavailable), (APIError.unauthorized("x"), .signIn),
        (APIError.rateLimited(retryAfter: 3), .tryLater),
        (APIError.http(status: 400, problem: ProblemDetails(detail: "x")), .data),
        (APIError.http(status: 404, problem: ProblemDetails()), .unavailable),
        (APIError.http(status: 503, problem: ProblemDetails()), .unavailable),
        (CredentialStoreError.damaged(path: "x", reason: "y"), .cannotCreate),
        (ServerAddressError.noScheme("x"), .usage),
        (ServerStartError.addressInUse(host: "h", port: 1), .unavailable), (ServerStartError.newerStore, .data),
        (ServerStartError.inaccessible(path: "x", reason: "y"), .cannotCreate),
        (CommandFailure(.inputOutput, "x"), .inputOutput),
    ]

    @Test("each error has its code and a line that is no dump", arguments: cases.indices)
    func mapping(index: Int) {
        let (error, status) = Self.cases[index]
        let failure = CommandFailure(error)
        #expect(failure.status == status, "\(error)")
        #expect(!failure.message.isEmpty && !failure.message.contains("\n"))
        #expect(!failure.message.contains("Error("))
    }

    @Test(
        "a sync's end has its code",
        arguments: [
            (SyncReport.Failure.unreachable, CommandStatus.unavailable), (.notAServer, .unavailable),
            (.protocol, .unavailable),
            (.rateLimited, .tryLater), (.signedOut, .signIn), (.store, .software), (.cancelled, .interrupted),
            (.feedReplaced, .data), (.quarantineFull, .data),
        ])
    func syncs(failure: SyncReport.Failure, status: CommandStatus) {
        #expect(SyncReportText(report: SyncReport(failure: failure, error: "x")).failure?.status == status)
    }

    @Test("parked changes are bad data; none are fine")
    func parked() {
        #expect(SyncReportText(report: SyncReport(parked: 1)).failure?.status == .data)
        #expect(SyncReportText(report: SyncReport()).failure == nil)
    }
}
