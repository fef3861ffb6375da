import TrendyDomain

/// What was seen of a server's API.
struct APISight {
    var at: Timestamp
    /// Why it counts as lost; nil where it was there.
    var lost: Refusal?

    /// For so many milliseconds it is believed: a sync may last minutes, and a server be taken away meanwhile.
    static let lifetime: Int64 = 10_000
}

/// Tells a server that refuses one record from what stands before it, has lost it, or lets nobody through: that refuses
/// everything alike, and nothing is to be parked, or taken for deleted, because of it.
extension SyncCycle {
    /// Asks for one record; nil where the server has none.
    ///
    /// An API that is lost has none either, and counts as a failure of the server.
    func look<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) async throws -> Result<Remote<Entity>?, Refusal> {
        let client = networkClient
        let before = apiSight
        let answer = try await send { try await client.get(type, id: id) }
        switch answer {
        case .success(nil): apiSight = before
        case .failure(let refusal) where refusal.mayBeOfAddress: break
        default: return answer
        }
        return try await lostAPI().map { .failure($0) } ?? answer
    }

    /// Why the API counts as lost; nil where it is there.
    ///
    /// Where nothing has told lately, the feed's newest place is asked for: it names no record, and every server has it. A
    /// server that has it and fails on it is there.
    func lostAPI() async throws -> Refusal? {
        let now = wallClock.now()
        if let apiSight, (0..<APISight.lifetime).contains(now.milliseconds - apiSight.at.milliseconds) {
            return apiSight.lost
        }
        let client = networkClient
        var sight = APISight(at: now)
        if case .failure(let refusal) = try await send({ try await client.getLatestCursor() }), refusal.isOfNoServer {
            sight.lost = .lostAPI(refusal)
        }
        apiSight = sight
        return sight.lost
    }
}

extension Refusal {
    /// True where it may be about the address and not about the record: RFC 9110 has these for what is forbidden, not
    /// found, not to be done there, or gone.
    var mayBeOfAddress: Bool { [403, 404, 405, 410].contains(status) }

    /// True where a server of this protocol has not said it: those that stand before it have 502 to 504 for themselves.
    fileprivate var isOfNoServer: Bool {
        mayBeOfAddress || error.isUnreadableAnswer || (502...504).contains(status)
    }

    fileprivate static func lostAPI(_ refusal: Refusal) -> Refusal {
        let error = APIError.connection("nothing of its API is to be found there (\(refusal.message))")
        return Refusal(status: 502, problem: ProblemDetails(status: 502, detail: error.description), error: error)
    }
}
