import TrendyDomain
import TrendySync

/// Shows on a terminal what a sync is doing.
@MainActor
final class SyncProgress {
    private let context: CommandContext
    private var task: Task<Void, Never>?
    private var isShown = false

    init(context: CommandContext) {
        self.context = context
    }

    func begin() throws {
        guard context.errors.isTerminal, !context.wantsJSON else { return }
        let states = try context.root.engine.stateChanges
        task = Task { [weak self] in
            for await state in states { self?.show(state) }
        }
    }

    func end() throws {
        task?.cancel()
        task = nil
        if isShown { try clear() }
    }

    private func show(_ state: SyncState) {
        let text: String
        switch state {
        case .syncing(let synced, let total): text = "sending \(synced) of \(total) …"
        case .pulling: text = "receiving …"
        case .idle, .rateLimited, .error: return
        }
        isShown = true
        // Progress is a courtesy: where it cannot be shown the sync goes on.
        try? context.errors.write("\r\u{1B}[K\(text)")
        try? context.errors.flush()
    }

    private func clear() throws {
        try context.errors.write("\r\u{1B}[K")
        try context.errors.flush()
    }
}
