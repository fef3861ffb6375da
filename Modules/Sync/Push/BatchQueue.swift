import TrendyDomain

/// The batches of a kind, taken from the queue of mutations window by window as they are asked for.
final class BatchQueue<Entity: SyncEntity> {
    /// Nil where no further window is wanted.
    private let windows: PushWindows<Entity>?
    private let push: PushPhase
    private var ready: ArraySlice<CreateBatch<Entity>> = []
    /// Why no further batch is to be sent.
    private(set) var error: (any Error)?

    init(push: PushPhase, batchSize: Int) {
        self.push = push
        windows = PushWindows(cycle: push.cycle, batchSize: batchSize)
    }

    /// The batches of one window.
    init(push: PushPhase, only window: PushWindow<Entity>) {
        self.push = push
        windows = nil
        take(window)
    }

    /// The next batch, marked as sending; nil where there is none, or none may be sent.
    func next() -> CreateBatch<Entity>? {
        if error != nil { return nil }
        do {
            try push.cycle.admit()
            while ready.isEmpty {
                guard let window = try windows?.next([.create], heldRecords: push.heldRecords) else { return nil }
                take(window)
            }
            return ready.popFirst()
        } catch {
            stop(error)
            return nil
        }
    }

    private func take(_ window: PushWindow<Entity>) {
        ready = window.batches[...]
        push.perhapsTaken += window.perhapsTaken
    }

    /// Says that no further batch is to be sent.
    func stop(_ reason: any Error) {
        error = error ?? reason
    }
}
