import Dispatch
import Foundation
import HTTPTypes
import Synchronization
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

#if canImport(CDispatch)
    import CDispatch
#endif

@Suite("The body of a write", .serialized)
struct PreparationTests {
    /// One number that does not fit its field, behind many that are in no field and many that fit theirs.
    private static let misfit =
        #"{"id":"\#(id(2))","x":[\#(fractions)],"ratios":[\#(fractions)],"count":1.5}"#
    private static let fractions = [String](repeating: "2.5", count: 30).joined(separator: ",")

    private func withProbe(
        _ body: @escaping @Sendable (API) async throws -> Void
    ) async throws -> [String] {
        let route = RecordRoute(RecordKind(Probe.self), path: "probes", batchMember: "probes")
        try await TestServer(routes: [route]).test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = Probe.takeQueues()
            try await body(ann)
        }
        return Probe.takeQueues()
    }

    @Test("is read before its turn to write comes, whatever is wrong with it")
    func outsideTheWriter() async throws {
        let queues = try await withProbe { ann in
            let good = #"{"id":"\#(id(1))","count":1,"ratios":[0.5]}"#
            #expect(try await ann.send(.post, "/probes", good).status == 201)
            #expect(try await ann.send(.post, "/probes", Self.misfit).status == 400)
            #expect(try await ann.send(.post, "/probes/batch", "{\"probes\":[\(Self.misfit)]}").status == 400)
            let changed = try await ann.send(.put, "/probes/\(id(1))", #"{"ratios":[2.5]}"#)
            #expect(changed.status == 200 && changed["ratios"] == [2.5])
            let refused = try await ann.send(.put, "/probes/\(id(1))", #"{"ratios":[\#(Self.fractions)],"count":1.5}"#)
            #expect(refused.status == 400 && refused.problem().errors?.map(\.field) == ["count"])
        }
        #expect(Set(queues) == ["trendy.server.prepare"] && queues.count > 10, "\(queues)")
    }

    @Test("is read one after the other where it is large, so that small ones find a core")
    func large() async throws {
        let queues = try await withProbe { ann in
            let space = String(repeating: " ", count: 1 << 16)
            let refused = try await ann.send(.post, "/probes", Self.misfit + space)
            #expect(refused.status == 400)
        }
        #expect(!queues.isEmpty && Set(queues) == ["trendy.server.prepare.large"], "\(queues)")
    }

    @Test("is read a few times at most to say which number does not fit")
    func passes() async throws {
        let queues = try await withProbe { ann in
            let refused = try await ann.send(.post, "/probes", Self.misfit)
            #expect(refused.problem().errors?.map(\.field) == ["count"])
        }
        #expect((2...8).contains(queues.count), "\(queues.count)")
    }
}

/// A kind of record that notes on which queue each is decoded.
private struct Probe: SyncEntity {
    static let entityType: EntityType = "probe"
    static let fields = CodingKeys.allCases.map(\.stringValue)

    var id: String
    var ratios: [Double]
    var count: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, ratios, count
    }

    private static let queues = Mutex<[String]>([])

    static func takeQueues() -> [String] {
        queues.withLock { queues in
            defer { queues = [] }
            return queues
        }
    }

    /// The name of the queue that this runs on.
    private static var queue: String {
        #if canImport(CDispatch)
            String(cString: dispatch_queue_get_label(nil))
        #else
            String(cString: __dispatch_queue_get_label(nil))
        #endif
    }

    init(from decoder: any Decoder) throws {
        Self.queues.withLock { $0.append(Self.queue) }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        ratios = try container.decode([Double].self, forKey: .ratios)
        count = try container.decode(Int.self, forKey: .count)
    }
}
