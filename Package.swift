// swift-tools-version: 6.2

import PackageDescription

/// The compiler settings of every target here: the strict ones, with warnings as errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// What a module needs from other packages, which a trait of the same name switches on.
///
/// A package that takes Domain and Sync alone names no trait, and fetches none of these.
func product(
    _ name: String, from package: String, for traits: Set<String>, on platforms: [Platform] = []
) -> Target.Dependency {
    .product(
        name: name, package: package,
        condition: platforms.isEmpty ? .when(traits: traits) : .when(platforms: platforms, traits: traits))
}

let grdb = product("GRDB", from: "GRDB.swift", for: ["Data", "Server"])
/// URLSession serves Apple's systems; Docs/decisions/0010 says why not Linux.
let linuxHTTP = [
    product("AsyncHTTPClient", from: "async-http-client", for: ["Data"], on: [.linux]),
    product("NIOHTTP1", from: "swift-nio", for: ["Data"], on: [.linux]),
    product("NIOCore", from: "swift-nio", for: ["Data"], on: [.linux]),
    product("NIOPosix", from: "swift-nio", for: ["Data"], on: [.linux]),
    product("NIOSSL", from: "swift-nio-ssl", for: ["Data"], on: [.linux]),
]
/// What tests of the client need for a server of TLS.
let linuxTLS = linuxHTTP.suffix(3)
let sqlite = product("GRDBSQLite", from: "GRDB.swift", for: ["Data", "Server"])
let hummingbird = product("Hummingbird", from: "hummingbird", for: ["Server"])
let hummingbirdCore = product("HummingbirdCore", from: "hummingbird", for: ["Server"])
let hummingbirdTesting = product("HummingbirdTesting", from: "hummingbird", for: ["Server"])
let httpTypes = product("HTTPTypes", from: "swift-http-types", for: ["Server"])
let nioCore = product("NIOCore", from: "swift-nio", for: ["Server"])
let nioHTTP1 = product("NIOHTTP1", from: "swift-nio", for: ["Server"])
let nioPosix = product("NIOPosix", from: "swift-nio", for: ["Server"])
let nioEmbedded = product("NIOEmbedded", from: "swift-nio", for: ["Server"])
let logging = product("Logging", from: "swift-log", for: ["Server"])
let crypto = product("Crypto", from: "swift-crypto", for: ["Server"])
let cryptoExtras = product("CryptoExtras", from: "swift-crypto", for: ["Server"])
let argumentParser = product("ArgumentParser", from: "swift-argument-parser", for: ["App"])

/// PostgreSQL's C library, whose headers nobody needs who does not name the trait.
let libpq = Target.Dependency.target(name: "CPostgres", condition: .when(traits: ["Postgres"]))

/// A folder of static libraries, with which the program is linked in place of the system's shared ones: `make release`
/// fills one, so that no loader has to look for them at each start.
let archives = Context.environment["TRENDY_ARCHIVES"]
let linkedStatically: [LinkerSetting] =
    archives.map { [.unsafeFlags(["-L", $0, "-Xclang-linker", "-static-libgcc"])] } ?? []

func module(_ name: String, at path: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Modules/\(path)", swiftSettings: strict)
}

/// What only tests are built from, and what may be shared by several of them.
func testing(_ name: String, at path: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/\(path)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "trendy",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "TrendyDomain", targets: ["TrendyDomain"]),
        .library(name: "TrendyData", targets: ["TrendyData"]),
        .library(name: "TrendySync", targets: ["TrendySync"]),
        .library(name: "TrendyServer", targets: ["TrendyServer"]),
        .library(name: "TrendyConformance", targets: ["TrendyConformance"]),
        .library(name: "TrendyTestSupport", targets: ["TrendyTestSupport"]),
        .library(name: "TrendyApp", targets: ["TrendyApp", "TrendyTerminal", "TrendyNotation"]),
        .executable(name: "trendy", targets: ["trendy"]),
    ],
    traits: [
        .default(enabledTraits: ["App"]),
        .trait(name: "Data", description: "TrendyData: the store on SQLite and the HTTP client"),
        .trait(name: "Server", description: "TrendyServer: the reference server"),
        .trait(
            name: "App", description: "TrendyApp and the command line, with all modules",
            enabledTraits: ["Data", "Server"]
        ),
        .trait(
            name: "Postgres", description: "TrendyServer's store on PostgreSQL, which needs libpq",
            enabledTraits: ["Server"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        module("TrendyDomain", at: "Domain"),
        module("TrendyData", at: "Data", ["TrendyDomain", grdb, sqlite] + linuxHTTP),
        module("TrendySync", at: "Sync", ["TrendyDomain"]),
        module(
            "TrendyServer", at: "Server",
            [
                "TrendyDomain", libpq, grdb, sqlite, hummingbird, hummingbirdCore,
                httpTypes, nioCore, nioHTTP1, logging, crypto, cryptoExtras,
            ]),
        .systemLibrary(
            name: "CPostgres", path: "Modules/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        module("TrendyConformance", at: "Conformance", ["TrendyDomain"]),
        module("TrendyTerminal", at: "Terminal"),
        module("TrendyNotation", at: "Notation", ["TrendyDomain"]),
        module("TrendyReport", at: "Report", ["TrendyDomain", "TrendyNotation", "TrendyTerminal"]),
        module("TrendyInterchange", at: "Interchange", ["TrendyDomain", "TrendyNotation"]),
        module("TrendyTestSupport", at: "TestSupport", ["TrendyDomain", "TrendyConformance"]),
        module(
            "TrendyApp", at: "App",
            [
                "TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyConformance", "TrendyTerminal",
                "TrendyNotation", "TrendyInterchange", "TrendyReport", argumentParser, logging,
            ]),
        .executableTarget(
            name: "trendy", dependencies: ["TrendyApp"], path: "Modules/Executable", swiftSettings: strict,
            linkerSettings: linkedStatically),

        .executableTarget(
            name: "trendy-bench", dependencies: ["TrendyDomain", "TrendyData", "TrendySync", "TrendyApp", grdb],
            path: "Benchmarks/Suite", swiftSettings: strict),
        .executableTarget(
            name: "trendy-baseline", dependencies: [grdb, sqlite], path: "Benchmarks/Baseline", swiftSettings: strict),

        tests("DomainTests", ["TrendyDomain", "TrendyTestSupport"]),
        tests("DataTests", ["TrendyDomain", "TrendyData", "TrendyTestSupport", "SyncCounter", grdb]),
        tests("ClientTests", ["TrendyDomain", "TrendyData", "TrendyTestSupport", "TrendyProcesses"] + linuxTLS),
        tests("SyncTests", ["TrendyDomain", "TrendySync", "TrendyTestSupport"]),
        tests(
            "ServerTests",
            [
                "TrendyDomain", "TrendyServer", "TrendyConformance", "TrendyTestSupport", hummingbird, httpTypes,
                nioCore, nioHTTP1, nioPosix, nioEmbedded, grdb, logging, "TrendyProcesses",
                hummingbirdTesting, "SyncCounter",
            ]),
        tests(
            "InterchangeTests", ["TrendyDomain", "TrendyNotation", "TrendyInterchange", "TrendyTestSupport"]),
        tests(
            "ReportTests", ["TrendyDomain", "TrendyNotation", "TrendyTerminal", "TrendyReport", "TrendyTestSupport"]),
        tests("NotationTests", ["TrendyDomain", "TrendyNotation", "TrendyTestSupport"]),
        tests("TerminalTests", ["TrendyTerminal", "TrendyTestSupport"]),
        tests(
            "AppTests",
            [
                "TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyTerminal", "TrendyNotation",
                "TrendyInterchange", "TrendyReport", "TrendyApp",
                "TrendyConformance", "TrendyTestSupport", "TrendyProcesses",
            ]),
        .target(name: "SyncCounter", path: "Tests/SyncCounter", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "QuietSQLite", path: "Tests/QuietSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        testing(
            "TrendySimulator", at: "Simulator",
            ["TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyTestSupport", "QuietSQLite"]),
        tests(
            "SimulationTests",
            ["TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyTestSupport", "TrendySimulator"]),
        .executableTarget(
            name: "trendy-sim", dependencies: ["TrendySimulator", argumentParser], path: "Tests/SimulatorCommand",
            swiftSettings: strict),
        testing(
            "TrendyFaultProxy", at: "FaultProxy",
            [
                nioCore, nioPosix,
            ]),
        testing("TrendyProcesses", at: "Processes", []),
        tests("EndToEndTests", ["TrendyDomain", "TrendyFaultProxy", "TrendyProcesses", "trendy", grdb]),
        tests("ArchitectureTests", []),
    ]
)
