import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// What a request of a cycle carries, and a device whose next request is such a one.
enum CycleRequest: String, CaseIterable, Sendable {
    /// The first of all: it asks for everything.
    case snapshot
    /// It asks for changes alone.
    case changes
    case oneMutation = "one mutation"
    case severalMutations = "several mutations"

    var carriesMutations: Bool { self == .oneMutation || self == .severalMutations }

    func device() async throws -> Device {
        let device = Device()
        if self == .snapshot { return device }
        await device.sync()
        if carriesMutations { try await device.engine.create(device.coffee) }
        if self == .severalMutations {
            // None of them belongs to another, which would be held with it.
            for name in ["tea", "water"] { try await device.engine.create(makeEventType(name: name)) }
        }
        await device.network.reset()
        return device
    }
}

/// A row of the error table (Docs/ErrorRecovery.md).
enum ErrorRow: String, CaseIterable, Sendable {
    case rateLimited, rateLimitedFor42, notSent, connection, timeout, serverError, conflict, tooLarge, otherRefusal
    case unauthorized, signInFailing, untrusted, notAServer, malformed

    var error: APIError {
        switch self {
        case .rateLimited: .rateLimited(retryAfter: nil)
        case .rateLimitedFor42: .rateLimited(retryAfter: 42)
        case .notSent: .notSent("no route")
        case .connection: .connection("reset")
        case .timeout: .timeout
        case .serverError: refusal(503)
        case .conflict: refusal(409)
        case .tooLarge: refusal(413)
        case .otherRefusal: refusal(422, fields: [FieldError(field: "name", message: "is odd", code: "invalid")])
        case .unauthorized: .unauthorized("expired")
        case .signInFailing: .unauthorized("out of order", mayPass: true)
        case .untrusted: .untrusted(.selfSigned)
        case .notAServer: .notAServer("HTML")
        case .malformed: .malformedResponse("cut off")
        }
    }
}

/// What the table says of a row and a request.
struct ExpectedEnd: Sendable {
    var failure: SyncReport.Failure?
    /// Whether each mutation was found to be the one that fails.
    var isFailing = false
    /// How many attempts of each mutation count against it.
    var attempts = 0

    /// The table: every row with every request. Where the request carries mutations, those without any pass.
    init(_ row: ErrorRow, _ request: CycleRequest) {
        switch row {
        case .rateLimited, .rateLimitedFor42: failure = .rateLimited
        case .unauthorized: failure = .signedOut
        case .signInFailing: failure = .signInFailing
        case .untrusted: failure = .unreachable
        case .notAServer where request.carriesMutations: isFailing = true
        case .notAServer: failure = .notAServer
        case .notSent, .connection: failure = .unreachable
        case .timeout where request.carriesMutations, .serverError where request.carriesMutations,
            .malformed where request.carriesMutations, .conflict where request.carriesMutations,
            .tooLarge where request.carriesMutations, .otherRefusal where request.carriesMutations:
            (attempts, isFailing) = (1, true)
        case .timeout, .serverError: failure = .unreachable
        case .malformed, .conflict, .tooLarge, .otherRefusal: failure = .protocol
        }
    }

    /// The end of a cycle in a word, as the document has it.
    var summary: String {
        if let failure { return failure.rawValue }
        return "goes on +\(attempts)"
    }
}

extension Device {
    func fail(_ request: CycleRequest, with error: APIError) async {
        if request.carriesMutations { return await fail(with: error) }
        await network.always(.fail(error), for: .exchange)
    }

    func breaker() throws -> CircuitBreaker {
        try store().value(CircuitBreaker.self, for: MetadataKey.breaker) ?? CircuitBreaker()
    }

    /// Makes the server have refused so many requests in a row before, without a `Retry-After`.
    func plantRefusals(_ count: Int) throws {
        var breaker = CircuitBreaker()
        for _ in 0..<count { breaker.refused(retryAfter: nil, at: wallClock.now()) }
        try tamper { try $0.setValue(breaker, for: MetadataKey.breaker) }
    }
}
