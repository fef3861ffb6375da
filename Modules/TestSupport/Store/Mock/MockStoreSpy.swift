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

    public var saveCallCount: Int { callCount(.save) }
    public var insertPendingMutationCallCount: Int { callCount(.insertMutation) }
    public var deletePendingMutationCallCount: Int { callCount(.deleteMutation) }
    public var fetchPendingMutationsCallCount: Int { callCount(.fetchMutations) }

    public var findEventCallCount: Int { callCount(.find, .event) }
    public var upsertEventCallCount: Int { callCount(.upsert, .event) }
    public var deleteEventCallCount: Int { callCount(.delete, .event) }

    public var findEventTypeCallCount: Int { callCount(.find, .eventType) }
    public var upsertEventTypeCallCount: Int { callCount(.upsert, .eventType) }
    public var deleteEventTypeCallCount: Int { callCount(.delete, .eventType) }

    public var findGeofenceCallCount: Int { callCount(.find, .geofence) }
    public var upsertGeofenceCallCount: Int { callCount(.upsert, .geofence) }
    public var deleteGeofenceCallCount: Int { callCount(.delete, .geofence) }

    public var findPropertyDefinitionCallCount: Int { callCount(.find, .propertyDefinition) }
    public var upsertPropertyDefinitionCallCount: Int { callCount(.upsert, .propertyDefinition) }
    public var deletePropertyDefinitionCallCount: Int { callCount(.delete, .propertyDefinition) }
}
