import Dispatch
import Synchronization
import TrendyDomain

extension DataStoreContract {
    static let lockChecks = [
        Check("while a unit has begun, others that write wait and then hear that the store is busy") { factory in
            let holder = try factory.makeDataStore()
            try holder.begin()
            let other = try factory.makeDataStore()
            try expectError(.busy, "begin of a second unit") { try other.begin() }
            try expectError(.busy, "first write of a second unit") { try other.setMetadata("key", "other") }
            try holder.setMetadata("key", "holder")
            try holder.save()
            try other.begin()
            try expectEqual(other.metadata("key"), "holder", "what the second unit sees when it got the lock")
        },
        Check("the first write takes the write lock without begin") { factory in
            let holder = try factory.makeDataStore()
            try holder.upsert(LocalRecord(ContractSamples.fullEventType))
            try expectError(.busy, "begin of a second unit") { try factory.makeDataStore().begin() }
        },
        Check("begin does nothing where the unit holds the lock already") { factory in
            let store = try factory.makeDataStore()
            try store.begin()
            try store.setMetadata("key", "value")
            try store.begin()
            try store.save()
            try factory.reading { try expectEqual($0.metadata("key"), "value", "what was saved") }
            try factory.saving { try $0.setMetadata("key", "next") }
        },
        Check("save gives the write lock back though the unit lives on") { factory in
            let first = try factory.makeDataStore()
            try first.begin()
            try first.save()
            try factory.saving { try $0.setMetadata("key", "second") }
            try expectEqual(first.metadata("key"), "second", "what the first unit sees")
        },
        Check("reads never wait for a unit that writes") { factory in
            try factory.saving { try $0.upsert(LocalRecord(ContractSamples.fullEvent)) }
            let writer = try factory.makeDataStore()
            try writer.deleteAll(Event.self)
            try factory.reading { reader in
                let event = try reader.find(Event.self, id: ContractSamples.fullEvent.id)
                try expectEqual(event?.entity, ContractSamples.fullEvent, "the event that is being deleted")
            }
        },
        Check("read, change and save under begin loses no change of concurrent units") { factory in
            let (workers, rounds) = (4, 25)
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: workers) { _ in
                for _ in 0..<rounds {
                    do {
                        try increment(factory)
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
            try expectEqual(failures.withLock { $0 }, [], "errors of concurrent units")
            try factory.reading { store in
                try expectEqual(store.metadata("counter"), String(workers * rounds), "the counter")
                try expectEqual(store.countMutations(MutationQuery()), workers * rounds, "the mutations")
            }
        },
    ]

    private static func increment(_ factory: any DataStoreFactory) throws {
        try factory.saving { store in
            try store.begin()
            let count = try store.metadata("counter").flatMap(Int.init) ?? 0
            try store.setMetadata("counter", String(count + 1))
            try store.insertMutation(ContractSamples.mutation("m\(count)"))
        }
    }
}
