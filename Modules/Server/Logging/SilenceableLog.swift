import Logging
import Synchronization

/// A log that says nothing more once its silence has begun.
///
/// The libraries beneath know cancellation as a failure, and would report an orderly end as several.
struct SilenceableLog: LogHandler {
    /// Begins once, from whatever task.
    final class Silence: Sendable {
        private let hasBegun = Atomic(false)

        var isOn: Bool { hasBegun.load(ordering: .acquiring) }
        func begin() { hasBegun.store(true, ordering: .releasing) }
    }

    private var base: any LogHandler
    private let silence: Silence

    init(_ base: any LogHandler, until silence: Silence) {
        self.base = base
        self.silence = silence
    }

    func log(event: LogEvent) {
        if !silence.isOn { base.log(event: event) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { base[metadataKey: key] }
        set { base[metadataKey: key] = newValue }
    }

    var metadata: Logger.Metadata {
        get { base.metadata }
        set { base.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { base.metadataProvider }
        set { base.metadataProvider = newValue }
    }

    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }
}
