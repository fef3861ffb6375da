import Foundation
import TrendyDomain
import TrendySync

extension World {
    private enum Doing {
        case log, editEvent, makeType, editType, makePlace, deleteEvent, deleteType, deletePlace, sync, restart
    }

    /// Puts the server's data back to an earlier state without telling anybody, or has devices go on with another copy of
    /// the server, and demands that nobody misses anything silently.
    ///
    /// It begins where all agree. The checkers of one history are done; ``LostHistoryChecker`` knows of two.
    func putServerBack(_ dice: inout Dice) throws {
        isPutBack = true
        let copies = ["first", "second"].map { folder.appending(path: "server-\($0).sqlite") }
        try server.copy(to: copies[0])
        let checker = try LostHistoryChecker(self)
        trace.note("the server's data is copied")
        try goOn(dice.within(10...40), &dice)
        try server.copy(to: copies[1])
        try goOn(on: copies[0], checker, &dice)
        if violations.isEmpty, dice.chance(0.5) {
            // Both copies run, and devices find the other one under the address.
            try goOn(on: copies[1], nil, &dice)
        }
    }

    private func goOn(on copy: URL, _ checker: LostHistoryChecker?, _ dice: inout Dice) throws {
        trace.note("the server goes on with \(copy.lastPathComponent)")
        try server.restart(on: copy)
        lateEntriesSeen = devices.map { _ in 0 }
        let before = try checker?.note(self)
        try goOn(dice.within(0...40), &dice)
        for _ in 0..<3 {
            for device in devices { try syncOnce(device, &dice) }
        }
        try syncUntilQuiet(&dice)
        if let checker, let before { try checker.check(before, self) }
        if !violations.isEmpty { return }
        try decide(&dice)
        try ConvergenceChecker().compareDevices(self)
    }

    /// People do things on all devices, of which some sync; the server is started anew now and then.
    private func goOn(_ steps: Int, _ dice: inout Dice) throws {
        let choices: [(Doing, Int)] = [
            (.log, 20), (.editEvent, 20), (.makeType, 4), (.editType, 4), (.makePlace, 3), (.deleteEvent, 8),
            (.deleteType, 2), (.deletePlace, 2), (.sync, 20), (.restart, 3),
        ]
        // Some are away the whole time.
        let present = devices.filter { _ in dice.chance(0.75) }
        for _ in 0..<steps {
            pass(milliseconds: Int64(dice.below(90_000)))
            guard let device = dice.pick(present), let doing = dice.weighted(choices) else { return }
            let person = Person(world: self, device: device, process: livingProcess(device, &dice))
            trace.note("device \(device.index) \(doing)")
            do {
                switch doing {
                case .log: try person.log(&dice)
                case .editEvent: try person.editEvent(&dice)
                case .makeType: try person.makeType(&dice)
                case .editType: try person.editType(&dice)
                case .makePlace: try person.create(person.newPlace(&dice))
                case .deleteEvent: try person.delete(Event.self, &dice)
                case .deleteType: try person.delete(EventType.self, &dice)
                case .deletePlace: try person.delete(Geofence.self, &dice)
                case .sync: try syncOnce(device, &dice)
                case .restart: try server.restart()
                }
            } catch let error as SyncEngineError { trace.note("  refused: \(error)") } catch let error
                as ValidationError
            { trace.note("  refused: \(error)") }
            settle()
        }
    }
}
