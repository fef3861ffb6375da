public import TrendyDomain

/// The counters and the script of a mock store: of one unit of work's own, or of all units of a factory.
///
/// ```swift
/// let stores = MockDataStoreFactory()
/// stores.enqueue(.fail(.failed("the disk is full")), for: .save)   // the next save fails
/// stores.always(.fail(.busy), for: .upsert, .event)                // no event can be written any more
/// ```
public protocol MockStoreSpy {
    /// What was asked, and what is to become of the next calls.
    var recording: MockStoreRecording { get }
}

extension MockStoreSpy {
    /// Every call so far, those that failed too.
    public var calls: [MockStoreCall] { recording.calls }

    /// The calls of an operation, of one kind where that is given.
    public func calls(_ operation: MockStoreOperation, _ entityType: EntityType? = nil) -> [MockStoreCall] {
        calls.filter { $0.operation == operation && (entityType == nil || $0.entityType == entityType) }
    }

    /// How many calls of an operation there were, of one kind where that is given.
    public func callCount(_ operation: MockStoreOperation, _ entityType: EntityType? = nil) -> Int {
        calls(operation, entityType).count
    }

    // MARK: Script

    /// Appends to what becomes of the next calls of that operation; each answer is used once.
    ///
    /// Answers for a kind come before those for any kind, and both before ``always(_:for:_:)``.
    public func enqueue(
        _ answer: MockStoreAnswer, times: Int = 1, for operation: MockStoreOperation, _ type: EntityType? = nil
    ) {
        recording.enqueue(answer, times: times, for: operation, type)
    }

    /// Says what becomes of every call of that operation from now on; nil serves them again.
    public func always(_ answer: MockStoreAnswer?, for operation: MockStoreOperation, _ type: EntityType? = nil) {
        recording.always(answer, for: operation, type)
    }

    /// Forgets the calls and the script; what is stored stays.
    public func reset() { recording.reset() }

    // MARK: Queue

    /// The mutations that were handed over for the queue, in order.
    public var insertedMutations: [PendingMutation] { calls(.insertMutation).compactMap(\.mutation) }

    /// The idempotency keys of the mutations that were handed over for the queue, in order.
    public var insertedIdempotencyKeys: [String] { insertedMutations.map(\.clientRequestId) }

    // MARK: Counters by the seeds' names

    /// How often a unit of work was to be committed, also where that failed.
    public var saveCallCount: Int { callCount(.save) }
    /// How many mutations were handed over for the queue, also where that failed.
    public var insertPendingMutationCallCount: Int { callCount(.insertMutation) }
    /// How often a mutation was to be taken out of the queue, there or not.
    public var deletePendingMutationCallCount: Int { callCount(.deleteMutation) }
    /// How often the queue was read, whatever of it was asked for.
    public var fetchPendingMutationsCallCount: Int { callCount(.fetchMutations) }

    /// How often one of the events was looked for by its id.
    public var findEventCallCount: Int { callCount(.find, .event) }
    /// How often one of the events was put in, new or in another's place.
    public var upsertEventCallCount: Int { callCount(.upsert, .event) }
    /// How often one of the events was to be taken out, there or not.
    public var deleteEventCallCount: Int { callCount(.delete, .event) }

    /// How often one of the event types was looked for by its id.
    public var findEventTypeCallCount: Int { callCount(.find, .eventType) }
    /// How often one of the event types was put in, new or in another's place.
    public var upsertEventTypeCallCount: Int { callCount(.upsert, .eventType) }
    /// How often one of the event types was to be taken out, there or not.
    public var deleteEventTypeCallCount: Int { callCount(.delete, .eventType) }

    /// How often one of the geofences was looked for by its id.
    public var findGeofenceCallCount: Int { callCount(.find, .geofence) }
    /// How often one of the geofences was put in, new or in another's place.
    public var upsertGeofenceCallCount: Int { callCount(.upsert, .geofence) }
    /// How often one of the geofences was to be taken out, there or not.
    public var deleteGeofenceCallCount: Int { callCount(.delete, .geofence) }

    /// How often one of the property definitions was looked for by its id.
    public var findPropertyDefinitionCallCount: Int { callCount(.find, .propertyDefinition) }
    /// How often one of the property definitions was put in, new or in another's place.
    public var upsertPropertyDefinitionCallCount: Int { callCount(.upsert, .propertyDefinition) }
    /// How often one of the property definitions was to be taken out, there or not.
    public var deletePropertyDefinitionCallCount: Int { callCount(.delete, .propertyDefinition) }
}
