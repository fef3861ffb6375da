import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let convergenceBugs = [deletionsAreIgnored, sendingIsNotMarked, childrenStay, batchAnswerIsBelieved]

    /// Deletions in the feed are passed over.
    private static let deletionsAreIgnored = PlantedBug(
        name: "deletions in the feed are ignored", promise: .convergence, knownSeed: 3,
        plant: { _ in
            .answers { response, request in
                guard request.isFeedPage, response.status == 200 else { return response }
                return response.changing { page in
                    guard case .array(let changes)? = page["changes"] else { return }
                    page["changes"] = .array(changes.filter { $0.objectValue?["operation"] != .string("delete") })
                }
            }
        })

    /// Mutations under way are not marked, so that later edits go into one that has left already.
    private static let sendingIsNotMarked = PlantedBug(
        name: "edit goes into a sending mutation", promise: .convergence, knownSeed: 71,
        plant: { _ in .store { WithoutMarks($0) } })

    /// Records that go with their parent stay where the server names the parent only.
    private static let childrenStay = PlantedBug(
        name: "children stay without their parent", promise: .convergence, knownSeed: 9,
        plant: { _ in .store { BlindToChildren($0) } })

    /// Records of a batch of which the answer does not speak count as taken.
    private static let batchAnswerIsBelieved = PlantedBug(
        name: "batch counts as taken as a whole", promise: .nothingVanishes, knownSeed: 2,
        plant: { _ in
            .answers { response, request in
                guard request.url.path.hasSuffix("/batch"), [201, 207].contains(response.status),
                    let body = request.body,
                    let sent = try? WireCoding.decode([String: JSONValue].self, from: body)
                else { return response }
                return response.changing { fields in
                    fields["created"] = sent["events"]
                    fields["errors"] = nil
                }
            }
        })
}

private final class WithoutMarks: ForwardingStore {
    override func markSending(_ ids: [Int64], batchKey: String?) throws {}
}

private final class BlindToChildren: ForwardingStore {
    override func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, where condition: FieldCondition?
    ) throws -> [LocalRecord<Entity>] {
        condition?.field == "event_type_id" ? [] : try super.fetch(type, where: condition)
    }
}
