// The layering of Trendy, in one table. What is not in it is forbidden. Docs/Layering.md explains it.

/// What any module may use of the platform.
private let pure = ["Foundation", "FoundationEssentials", "Observation", "Synchronization"]
/// The C library, for what concerns processes and terminals.
private let libc = ["Darwin", "Glibc", "Musl"]
/// What the outer modules may use. On Linux some members of the C library's structures count as Dispatch's C half.
private let system = pure + libc + ["CDispatch", "Dispatch"]

let allowedEdges: [Layer] = [
    Layer("TrendyDomain", in: "Modules/Domain", platform: pure),
    Layer("TrendySync", in: "Modules/Sync", uses: ["TrendyDomain"], platform: pure + libc),
    Layer(
        "TrendyData", in: "Modules/Data", uses: ["TrendyDomain"],
        packages: ["GRDB", "GRDBSQLite", "AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL"],
        platform: system + ["Security"]),
    Layer("CPostgres", in: "Modules/CPostgres", platform: []),
    Layer(
        "TrendyServer", in: "Modules/Server", uses: ["TrendyDomain", "CPostgres"],
        packages: [
            "GRDB", "GRDBSQLite", "Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOHTTP1", "Logging",
            "Crypto", "CryptoExtras",
        ],
        platform: system),
    Layer("TrendyConformance", in: "Modules/Conformance", uses: ["TrendyDomain"], platform: pure),
    Layer(
        "TrendyTestSupport", in: "Modules/TestSupport", uses: ["TrendyDomain", "TrendyConformance"],
        platform: pure + ["Dispatch"]),
    Layer("TrendyTerminal", in: "Modules/Terminal", platform: system),
    Layer("TrendyNotation", in: "Modules/Notation", uses: ["TrendyDomain"], platform: pure + libc),
    Layer(
        "TrendyReport", in: "Modules/Report", uses: ["TrendyDomain", "TrendyNotation", "TrendyTerminal"],
        platform: pure),
    Layer("TrendyInterchange", in: "Modules/Interchange", uses: ["TrendyDomain", "TrendyNotation"], platform: pure),
    Layer(
        "TrendyApp", in: "Modules/App",
        uses: [
            "TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyConformance", "TrendyTerminal",
            "TrendyNotation", "TrendyInterchange", "TrendyReport",
        ],
        packages: ["ArgumentParser", "Logging"], platform: system),
    Layer("trendy", in: "Modules/Executable", uses: ["TrendyApp"], platform: system),
    Layer(
        "trendy-bench", in: "Benchmarks/Suite",
        uses: ["TrendyDomain", "TrendyData", "TrendySync", "TrendyApp"], packages: ["GRDB"], platform: system),
    Layer(
        "TrendySimulator", in: "Tests/Simulator",
        uses: ["TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyTestSupport", "QuietSQLite"],
        platform: system),
    Layer("QuietSQLite", in: "Tests/QuietSQLite", platform: []),
    Layer("SyncCounter", in: "Tests/SyncCounter", platform: []),
    Layer(
        "trendy-sim", in: "Tests/SimulatorCommand", uses: ["TrendySimulator"], packages: ["ArgumentParser"],
        platform: system),
    Layer("TrendyFaultProxy", in: "Tests/FaultProxy", packages: ["NIOCore", "NIOPosix"], platform: system),
    Layer("TrendyProcesses", in: "Tests/Processes", platform: system),
    Layer("trendy-baseline", in: "Benchmarks/Baseline", packages: ["GRDB", "GRDBSQLite"], platform: system),
]
