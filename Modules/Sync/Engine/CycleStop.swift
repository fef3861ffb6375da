import TrendyDomain

/// Ends a cycle before its work is done. What is left waits for the next one.
enum CycleStop: Error, Equatable {
    case rateLimited
    case unreachable(String)
    case notAServer(APIError)
    case signedOut(String)
    case signInFailing(String)
    case protocolBroken(String)
    /// The quarantine is full.
    case quarantineFull(held: Int)
    /// Another process took the lease over.
    case leaseLost
    case cancelled
    case store(StoreError)

    var failure: SyncReport.Failure {
        switch self {
        case .rateLimited: .rateLimited
        case .unreachable: .unreachable
        case .notAServer: .notAServer
        case .signedOut: .signedOut
        case .signInFailing: .signInFailing
        case .protocolBroken: .protocol
        case .quarantineFull: .quarantineFull
        case .cancelled: .cancelled
        case .leaseLost: .takenOver
        case .store: .store
        }
    }

    /// What to tell a person.
    var message: String {
        switch self {
        case .rateLimited: "the server asked for a pause"
        case .unreachable(let reason), .signedOut(let reason), .signInFailing(let reason), .protocolBroken(let reason):
            reason
        case .notAServer(let error): error.description
        case .quarantineFull(let held):
            "\(held) changes that cannot be used wait aside already, and no more are taken"
        case .leaseLost: "another process has taken over the sync of this store"
        case .cancelled: "the sync was cancelled"
        case .store(let error): error.description
        }
    }
}

extension CycleStop {
    /// A server that would be asked for ever.
    static let endless = CycleStop.protocolBroken("the server says that it has more, and does not give it")
}
