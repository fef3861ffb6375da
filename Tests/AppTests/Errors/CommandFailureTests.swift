import Testing
import TrendyData
import TrendyDomain
import TrendyServer
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@Suite("Exit codes")
struct CommandFailureTests {
    @Test("who waits too short is told more seconds than are set, where there are more")
    func moreTime() {
        func seconds(_ present: Double?) -> String? {
            CommandFailure.moreTime(than: present)?.split(separator: " ").last.map(String.init)
        }
        #expect([nil, 15, 60, 100, 3_000, 3_600].map(seconds) == ["60'", "60'", "120'", "200'", "3600'", nil])
        #expect(CommandFailure.moreTime(than: 90, isVariable: true)?.hasSuffix("set TRENDY_TIMEOUT to 180") == true)
        #expect(CommandFailure(APIError.timeout).message.contains("'trendy config get timeout'"))
    }

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
        (ServerStartError.unusableDatabase(name: "x", reason: "y"), .unavailable),
        (ServerStartError.foreignDatabase(name: "x"), .data), (ServerStartError.badDatabaseURL, .usage),
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
            (.quarantineFull, .data), (.takenOver, .tryLater),
        ])
    func syncs(failure: SyncReport.Failure, status: CommandStatus) {
        #expect(SyncReportText(report: SyncReport(failure: failure, error: "x")).failure?.status == status)
    }

    @Test("what was fetched anew is told apart from what changed meanwhile")
    func placed() {
        let report = SyncReport(pulled: 13_184, bootstrapped: true, placed: 551)
        let lines = SyncReportText(report: report).lines
        #expect(lines == ["sent 0 changes, fetched 551 records (full sync), received 12633 changes"])
        let quiet = SyncReport(pulled: 3, bootstrapped: true, placed: 3)
        #expect(SyncReportText(report: quiet).lines == ["sent 0 changes, fetched 3 records (full sync)"])
    }

    @Test(
        "a store that ends a sync has the code that it has in every other command",
        arguments: [
            StoreError.busy, .inaccessible("/a/trendy.sqlite: the disk is full; free some space and try again"),
            .corrupt("/a/trendy.sqlite"), .failed("no such table"),
        ])
    func stores(error: StoreError) {
        let report = SyncReport(failure: .store, error: error.description)
        #expect(SyncReportText(report: report).failure == CommandFailure(error))
        #expect(!error.description.contains("opened"))
    }

    @Test("what a server says of a field is said once")
    func complaints() {
        let fields = [
            FieldError(field: "notes", message: "is too long"), FieldError(field: "timestamp", message: "is missing"),
        ]
        let problem = ProblemDetails(detail: "invalid event: notes is too long", errors: fields)
        let message = "the server answered 400: invalid event: notes is too long; timestamp is missing"
        #expect(APIError.http(status: 400, problem: problem).description == message)
        let mutation = PendingMutation(
            id: 1, clientRequestId: "k", entityType: .event, operation: .create, entityId: "e", payload: nil,
            createdAt: Timestamp(milliseconds: 0),
            state: .parked(ParkReason(code: .rejected, message: message, fields: fields)))
        #expect(QueuedMutation(mutation).explanation == message)
    }

    @Test("only who cannot renew a sign-in is sent to sign in while nothing says that it has ended")
    func doubtfulSignIn() {
        func message(_ reason: String) -> String {
            let error = APIError.unauthorized(reason, mayPass: true)
            let synced = SyncReportText(report: SyncReport(failure: .signInFailing, error: error.description)).failure
            #expect(synced == CommandFailure(error))
            return CommandFailure(error).message
        }
        #expect(!message("invalid token").contains("trendy login"))
        let last = message("invalid token" + APIError.withoutRenewal)
        #expect(last.contains("(invalid token)") && last.contains("may be out of order"), "\(last)")
        #expect(last.hasSuffix("; try again later; if it goes on, sign in again with 'trendy login'"), "\(last)")
    }

    @Test("a sign-in service that failed is an outage, and sends nobody to sign in")
    func failedSignInService() {
        let error = APIError.unauthorized(APIError.signInServiceFailure + "failed (502)", mayPass: true)
        let failure = CommandFailure(error)
        #expect(failure.status == .unavailable)
        let fact = "the server's sign-in service failed (502); nothing is lost; try again later"
        #expect(failure.message.hasPrefix(fact), "\(failure.message)")
        #expect(!failure.message.contains("trendy login"), "\(failure.message)")
        let report = SyncReport(failure: .signInFailing, error: error.description)
        #expect(SyncReportText(report: report).failure == failure)
        #expect(WatchStatus.trouble(of: report) == "the sign-in service failed")
    }

    @Test("parked changes are bad data; none are fine")
    func parked() {
        #expect(SyncReportText(report: SyncReport(parked: 1)).failure?.status == .data)
        #expect(SyncReportText(report: SyncReport()).failure == nil)
    }
}
