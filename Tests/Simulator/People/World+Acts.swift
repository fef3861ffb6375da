import TrendyDomain
import TrendySync

extension World {
    private enum Doing {
        case makeType, renameType, log, logRefused, logCursed, logFromHealth, importMany, editEvent, editType, makePlace
        case editPlace
        case makeProperty, editProperty, writeMemo
        case deleteEvent, deleteType, deletePlace, deleteProperty
        case bringBack
        case clearQueue, retryParked, resetBreaker, skipFeed, upgrade
    }

    /// A person does something on a device.
    func act(_ dice: inout Dice) throws {
        let choices: [(Doing, Int)] = [
            (.makeType, 7), (.log, 26), (.logRefused, 1), (.logCursed, 1), (.logFromHealth, 3), (.importMany, 3),
            (.editEvent, 26), (.editType, 5), (.makePlace, 3), (.editPlace, 2), (.makeProperty, 3), (.editProperty, 2),
            (.writeMemo, 3), (.deleteEvent, 7), (.deleteType, 2), (.deletePlace, 1), (.deleteProperty, 1),
            (.bringBack, 2),
            (.clearQueue, 1), (.retryParked, 2), (.resetBreaker, 1), (.skipFeed, 1), (.upgrade, 1),
        ]
        guard let device = dice.pick(devices), var doing = dice.weighted(choices) else { return }
        if isAboutNames, dice.chance(0.25) { doing = .renameType }
        let process = livingProcess(device, &dice)
        let person = Person(world: self, device: device, process: process)
        trace.note("\(process.name) \(doing)")
        isActing = true
        defer { isActing = false }
        do {
            switch doing {
            case .makeType: try person.makeType(&dice)
            case .renameType: try person.renameType(&dice)
            case .log: try person.log(&dice)
            case .logRefused: try person.logRefused(&dice)
            case .logCursed: try person.logCursed(&dice)
            case .logFromHealth: try person.logFromHealth(&dice)
            case .importMany: try person.importMany(&dice)
            case .editEvent: try person.editEvent(&dice)
            case .editType: try person.editType(&dice)
            case .makePlace: try person.create(person.newPlace(&dice))
            case .editPlace: try person.editPlace(&dice)
            case .makeProperty: try person.makeProperty(&dice)
            case .editProperty: try person.editProperty(&dice)
            case .writeMemo: try person.writeMemo(&dice)
            case .deleteEvent: try person.delete(Event.self, &dice)
            case .deleteType: try person.delete(EventType.self, &dice)
            case .deletePlace: try person.delete(Geofence.self, &dice)
            case .deleteProperty: try person.delete(PropertyDefinition.self, &dice)
            case .bringBack: try person.bringBack(&dice)
            case .clearQueue: try person.clearQueue()
            case .retryParked: try person.retryParked(&dice)
            case .resetBreaker: try person.resetBreaker()
            case .skipFeed: try person.skipFeed()
            case .upgrade: if !device.isSyncing { upgrade(device) }
            }
        } catch let error as SyncEngineError {
            trace.note("  refused: \(error)")
        } catch let error as ValidationError {
            trace.note("  refused: \(error)")
        } catch let error as LedgerError {
            trace.note("  refused: \(error)")
        } catch let error as StoreError where error == MortalStores.dead {
            trace.note("  the process died of it")
            // What was committed before the death is there, and the person sees it.
            try note(withdrawn(on: device), on: device)
        }
        settle()
    }

    /// Whether people rename types again and again, often to a name that another type has. They do in one history of six.
    private var isAboutNames: Bool {
        var dice = Dice(seed: seed, stream: 1 << 45)
        return dice.chance(1.0 / 6)
    }

    /// The records made on a device and deleted there before they were sent, of which nobody has told.
    private func withdrawn(on device: SimulatedDevice) throws -> [(EntityType, String, Act.Change)] {
        let view = try view(of: device)
        return try outboxes[device.index].values.sorted { $0.id < $1.id }.compactMap { mutation in
            let (type, id) = (mutation.entityType, mutation.entityId)
            let isGone = try view.openByRecord[id] == nil && !view.store.shows(type, id)
            return mutation.operation == .create && isGone ? (type, id, .delete) : nil
        }
    }
}
