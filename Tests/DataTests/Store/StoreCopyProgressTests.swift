import Foundation
import Synchronization
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("A backup and a restore on their way")
struct StoreCopyProgressTests {
    private let folder: TemporaryFolder
    private let store: LocalStoreFactory

    init() throws {
        folder = try TemporaryFolder()
        store = LocalStoreFactory(path: folder.path("trendy.sqlite"))
    }

    private func put(_ range: Range<Int>) throws {
        try store.saving { unit in
            for number in range { try unit.upsertEvent(id: "e-\(number)") { $0.eventTypeId = "t" } }
        }
    }

    private func count(_ path: String) throws -> Int {
        try LocalStoreFactory(path: path).makeReader().counts()[.event] ?? 0
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// Every record's id, and the names of the files beside the store.
    private func state() throws -> (ids: [String], files: [String]) {
        (try store.makeReader().fetch(Event.self).map(\.id), try files.filter { !$0.hasPrefix("trendy.sqlite-") })
    }

    /// Does work in a task that is cancelled the moment that it tells of progress for that many a time.
    private func cancelling(
        at number: Int,
        _ work: @escaping @Sendable (@escaping @Sendable (StoreCopyProgress) -> Void) async throws -> Void
    ) async -> Result<Void, any Error> {
        let (told, tell) = AsyncStream<StoreCopyProgress>.makeStream()
        let calls = Mutex(0)
        let task = Mutex<Task<Void, any Error>?>(nil)
        let (start, begin) = AsyncStream<Void>.makeStream()
        let running = Task {
            for await _ in start {}
            defer { tell.finish() }
            try await work { progress in
                tell.yield(progress)
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                if call == number { task.withLock { $0 }?.cancel() }
            }
        }
        task.withLock { $0 = running }
        begin.finish()
        for await _ in told {}
        return await running.result
    }

    @Test("a copy that is cancelled at any time is none, and leaves what had its name")
    func cancelledBackup() async throws {
        try put(0..<100)
        let path = folder.path("copy.sqlite")
        try Data("other".utf8).write(to: URL(filePath: path))
        var number = 0
        while true {
            number += 1
            let store = store
            let result = await cancelling(at: number) { try await store.backUp(to: path, progress: $0) }
            if case .success = result, try count(path) == 100 { break }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
            #expect(try state().files == ["copy.sqlite", "trendy.sqlite"])
            try #require(number < 100)
        }
        #expect(number > 1)
    }

    @Test("a restore that is cancelled at any time leaves the store as it was, and nothing beside it")
    func cancelledRestore() async throws {
        try put(0..<20)
        let copy = folder.path("copy.sqlite")
        try await store.backUp(to: copy)
        try put(20..<50)
        let before = try state()
        let previous = folder.path("previous.sqlite")
        var number = 0
        while true {
            number += 1
            let store = store
            let result = await cancelling(at: number) {
                try await store.restore(from: copy, keepingPreviousAt: previous, progress: $0)
            }
            if case .success = result { break }
            #expect(throws: CancellationError.self) { try result.get() }
            #expect(try state() == before)
            #expect(try await store.checkIntegrity() == [])
            try #require(number < 1000)
        }
        // Each table and each index is a step of its own.
        #expect(number > 10)
        #expect(try state().ids.count == 20)
        #expect(try count(previous) == 50)
    }

    @Test("a copy of many steps is of one moment, although others write between them")
    func manySteps() async throws {
        let note = String(repeating: "x", count: 1_000_000)
        try store.saving { unit in
            for number in 0..<20 { try unit.upsertEvent(id: "e-\(number)") { $0.notes = note } }
        }
        let path = folder.path("copy.sqlite")
        let (store, other) = (store, LocalStoreFactory(path: store.path))
        let steps = Mutex<[StoreCopyProgress]>([])
        try await store.backUp(to: path) { progress in
            let count = steps.withLock { steps in
                steps.append(progress)
                return steps.count
            }
            guard progress.step == .copying else { return }
            #expect(throws: Never.self) {
                try other.saving { unit in
                    try unit.deleteEvent(id: "e-\(count)")
                    try unit.upsertEvent(id: "w-\(count)") { $0.eventTypeId = "t" }
                }
            }
        }
        let copied = steps.withLock { $0 }.filter { $0.step == .copying }
        #expect(copied.count > 3)
        // It does not begin anew.
        #expect(copied.compactMap(\.done) == copied.compactMap(\.done).sorted())
        #expect(copied.last?.done == copied.last?.total)
        let ids = try LocalStoreFactory(path: path).makeReader().fetch(Event.self).map(\.id)
        #expect(ids == (0..<20).map { "e-\($0)" }.sorted())
    }
}
