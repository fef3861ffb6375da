import Synchronization

/// What has been made and is kept.
///
/// The lock is held for one look into a dictionary, never while something is made.
final class InstanceCache: Sendable {
    private let instances = Mutex<[ObjectIdentifier: any Sendable & AnyObject]>([:])

    func find(_ id: ObjectIdentifier) -> (any Sendable & AnyObject)? { instances.withLock { $0[id] } }

    /// Keeps one, unless another was kept meanwhile, and returns the one that is kept.
    func keep(_ instance: any Sendable & AnyObject, _ id: ObjectIdentifier) -> any Sendable & AnyObject {
        instances.withLock { instances in
            if let earlier = instances[id] { return earlier }
            instances[id] = instance
            return instance
        }
    }
}
