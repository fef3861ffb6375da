import Foundation

/// A construct that must not stand in some folders.
struct SourceRule: Sendable {
    /// What is forbidden, as a person would say it.
    let name: String
    /// A regular expression over code without comments and string literals.
    let pattern: String
    let folders: [String]
    /// The files that are there to wrap just this.
    var exceptIn: [String] = []

    func violations(root: URL) throws -> [Violation] {
        try folders.flatMap { try SwiftSource.all(in: $0, of: root) }
            .filter { !exceptIn.contains($0.path) }
            .flatMap { source in
                try source.matches(of: pattern).map {
                    Violation(file: source.path, line: $0.line, message: name)
                }
            }
    }
}

/// The rules of the source: nothing that hides a data race or crashes on bad input; no ambient time,
/// chance or waiting in the modules whose tests decide them; no test that waits for time to pass.
let sourceRules: [SourceRule] = [
    SourceRule(name: "@unchecked Sendable", pattern: #"@unchecked\s+Sendable"#, folders: ["Modules"]),
    SourceRule(name: "nonisolated(unsafe)", pattern: #"nonisolated\s*\(\s*unsafe\s*\)"#, folders: ["Modules"]),
    SourceRule(name: "try!", pattern: #"\btry!"#, folders: ["Modules"]),
    SourceRule(name: "as!", pattern: #"\bas!"#, folders: ["Modules"]),
    SourceRule(name: "a force unwrap", pattern: #"(?:\b(?!(?:try|as)!)\w+|[)\]>}])!(?!=)"#, folders: ["Modules"]),
    SourceRule(name: "fatalError", pattern: #"\bfatalError\s*\("#, folders: ["Modules"]),
    SourceRule(
        name: "ambient time", pattern: #"\bDate\(\)|\bDate\.now\b|\bDate\.init\(\)"#,
        folders: ["Modules/Domain", "Modules/Sync"], exceptIn: ["Modules/Domain/Time/WallClock.swift"]),
    SourceRule(name: "ambient waiting", pattern: #"\bTask\.sleep\b"#, folders: ["Modules/Domain", "Modules/Sync"]),
    SourceRule(
        name: "ambient randomness",
        pattern: #"\bUUID\(\)|\.random\(|\.randomElement\(|\.shuffled\(|SystemRandomNumberGenerator"#,
        folders: ["Modules/Domain", "Modules/Sync"], exceptIn: ["Modules/Domain/Identity/RandomSource.swift"]),
    SourceRule(
        name: "a test that sleeps", pattern: #"\bTask\.sleep\b|\bThread\.sleep\b|\bu?sleep\("#, folders: ["Tests"],
        // Slow networks and the moments of kills are real there, and other processes tell nobody when they are ready.
        // The examples show a clock that stands still; another such clock is defined where it is used.
        exceptIn: [
            "Tests/FaultProxy/RealTime.swift", "Tests/SyncTests/DocumentTests/TestingExamples.swift",
            "Tests/DomainTests/Insights/GatedClock.swift",
        ]),
]
