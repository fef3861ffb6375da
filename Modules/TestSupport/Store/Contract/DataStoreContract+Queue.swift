import Foundation
import TrendyDomain

extension DataStoreContract {
    static let queueChecks = [
        Check("a mutation comes back as it was put in, in every state") { factory in
            let reason = ParkReason(
                code: .rejected, message: ContractSamples.text,
                fields: [FieldError(field: "notes", message: "is bad", code: "invalid")])
            let states: [MutationState] = [
                .queued, .sending, .accepted, .merged(into: 42), .merged(into: nil), .parked(reason), .dropped,
            ]
            for state in states {
                let inserted = try factory.saving { try $0.insertMutation(ContractSamples.fullMutation(state)) }
                var expected = ContractSamples.fullMutation(state)
                expected.id = inserted.id
                try expectEqual(inserted, expected, "what insert answered")
                let found = try factory.reading { try $0.findMutation(id: inserted.id) }
                try expectEqual(found, expected, "a mutation in state \(state.name)")
            }
        },
        Check("a mutation with nothing in its optional fields comes back so") { factory in
            let inserted = try factory.saving { try $0.insertMutation(ContractSamples.mutation("a", .event, .delete)) }
            let found = try factory.reading { try $0.findMutation(id: inserted.id) }
            var expected = ContractSamples.mutation("a", .event, .delete)
            expected.id = inserted.id
            try expectEqual(found, expected, "the mutation")
        },
        Check("a payload comes back byte by byte, empty ones too") { factory in
            for payload in [Data(), Data([0]), Data((0...255).map(UInt8.init)), Data(count: 300_000)] {
                var mutation = ContractSamples.mutation("a")
                mutation.payload = payload
                let id = try factory.saving { try $0.insertMutation(mutation).id }
                let found = try factory.reading { try $0.findMutation(id: id) }
                try expectEqual(found?.payload, payload, "the payload")
            }
        },
        Check("marking mutations as sending changes their state and nothing else") { factory in
            let parked = ContractSamples.fullMutation(.parked(ParkReason(code: .rejected, message: "no")))
            let ids = try factory.saving { store in
                try (0..<3).map { _ in try store.insertMutation(parked).id }
            }
            try factory.saving { try $0.markSending([ids[0], ids[2], 9_999]) }
            let found = try factory.reading { store in try ids.map { try store.findMutation(id: $0) } }
            try expectEqual(found.map { $0?.state.name }, [.sending, .parked, .sending], "the states")
            var expected = parked
            expected.id = ids[0]
            expected.state = .sending
            try expectEqual(found[0], expected, "a marked mutation")
        },
        Check("each mutation gets a greater id than any before it, whatever id it had, also after deletions") {
            factory in
            var last: Int64 = 0
            for number in 0..<6 {
                var mutation = ContractSamples.mutation("m\(number)")
                mutation.id = 1
                let inserted = try factory.saving { try $0.insertMutation(mutation) }
                try expect(inserted.id > last, "id \(inserted.id) after \(last)")
                last = inserted.id
                if number >= 3 { try factory.saving { try $0.deleteMutation(id: last) } }
            }
        },
        Check("updateMutation replaces the mutation with that id, and makes none") { factory in
            let (first, second) = try factory.saving { store in
                (
                    try store.insertMutation(ContractSamples.mutation("a")),
                    try store.insertMutation(ContractSamples.mutation("b"))
                )
            }
            var changed = ContractSamples.fullMutation(.accepted)
            changed.id = first.id
            var stranger = changed
            stranger.id = second.id + 100
            try factory.saving { store in
                try store.updateMutation(changed)
                try store.updateMutation(stranger)
            }
            try factory.reading { store in
                try expectEqual(store.fetchMutations(MutationQuery()), [changed, second], "all mutations")
            }
        },
        Check("deleteMutation takes out one mutation, and does nothing where there is none") { factory in
            let ids = try factory.saving { store in
                try ["a", "b", "c"].map { try store.insertMutation(ContractSamples.mutation($0)).id }
            }
            try factory.saving { store in
                try store.deleteMutation(id: ids[1])
                try store.deleteMutation(id: ids[1])
            }
            try factory.reading { store in
                try expectEqual(store.fetchMutations(MutationQuery()).map(\.id), [ids[0], ids[2]], "what is left")
                try expectEqual(store.findMutation(id: ids[1]), nil, "the deleted one")
            }
        },
    ]
}
