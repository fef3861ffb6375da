import Foundation
import TrendyTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The `trendy` program.
public enum TrendyMain {
    /// Runs this process's command line and ends the process.
    @MainActor
    public static func main() async -> Never {
        StandardStreams.fill()
        // A reader that goes away is an error of the next write, which ends the command quietly.
        _ = signal(SIGPIPE, SIG_IGN)
        let runner = CommandLineRunner(process: .current())
        exit(await runner.run(bytes: ArgumentTexts.bytes))
    }
}
