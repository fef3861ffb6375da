import Foundation
import Testing
import TrendyDomain
import TrendyFaultProxy

/// A device with work of every kind waiting: a type, some events of it, an edit and a deletion.
struct Workload {
    var device: Device
    /// Ids of events that the server has already: one that stays, one that was edited, one that was deleted.
    let kept: String
    let edited: String
    let doomed: String
    /// The notes of all events that there are in the end.
    let notes = ["edited", "kept", "new 0", "new 1", "new 2"]

    /// - Parameter way: That of the world.
    static func queue(in world: FaultyWorld, _ way: Way = .exchange) async throws -> Workload {
        let prepared = try await PreparedWorld.of(way)
        return Workload(
            device: try world.makeDevice(from: prepared.device.home), kept: prepared.kept, edited: prepared.edited,
            doomed: prepared.doomed)
    }

    /// All of it is done, once, on the device and on the server, and devices and server agree.
    func expectDone(in world: FaultyWorld, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await world.expectAgreement(of: device, sourceLocation: sourceLocation)
        #expect(try DatabaseFile(of: device).notes() == notes, sourceLocation: sourceLocation)
        let ids = try DatabaseFile(of: device).ids()
        var expected = Dictionary(ids.map { ($0, DatabaseFile.Fate.made) }) { $1 }
        expected[edited] = .edited
        expected[doomed] = .deleted
        #expect(try world.serverData.fates() == expected, sourceLocation: sourceLocation)
        #expect(try world.serverData.hasDoneAllOnce(edits: 1), sourceLocation: sourceLocation)
    }
}

extension Device {
    /// Imports an event for each note, with a time of its own; the type is made where there is none.
    func importNotes(_ notes: [String], type: String) async throws {
        let rows = notes.enumerated().map { "\(1_700_000_000 + $0.offset),\(type),\($0.element)\n" }
        try await done(
            "import", "csv", "-", "--time", "t", "--type", "k", "--note", "n", input: "t,k,n\n" + rows.joined())
    }

    /// Syncs, whatever comes of it, and checks that it ended as a command may end under faults.
    func syncUnderFaults(
        within limit: Duration = .seconds(20), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        let outcome = try await run("sync", "--json")
        let time = start.duration(to: .now)
        #expect(time < limit, "took \(time): \(outcome)", sourceLocation: sourceLocation)
        #expect(
            [0, 65, 69, 75, 77].contains(outcome.status) && !outcome.wasSignalled, "\(outcome)",
            sourceLocation: sourceLocation)
        #expect(outcome.status == 0 || outcome.errorLines.count == 1, "\(outcome)", sourceLocation: sourceLocation)
        try expectIntact(self, sourceLocation: sourceLocation)
        return outcome
    }
}
