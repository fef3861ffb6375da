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

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
/// URLSession serves Apple's systems; Docs/decisions/0010 says why not Linux.
let linuxHTTP: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(platforms: [.linux])),
    .product(name: "NIOCore", package: "swift-nio", condition: .when(platforms: [.linux])),
    .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(platforms: [.linux])),
    .product(name: "NIOPosix", package: "swift-nio", condition: .when(platforms: [.linux])),
]
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")

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
        .library(name: "TrendyTestSupport", targets: ["TrendyTestSupport"]),
        .library(name: "TrendyApp", targets: ["TrendyApp"]),
        .executable(name: "trendy", targets: ["trendy"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
    ],
    targets: [
        module("TrendyDomain", at: "Domain"),
        module("TrendyData", at: "Data", ["TrendyDomain", grdb] + linuxHTTP),
        module("TrendySync", at: "Sync", ["TrendyDomain"]),
        module(
            "TrendyServer", at: "Server",
            [
                "TrendyDomain", grdb, hummingbird, .product(name: "HummingbirdCore", package: "hummingbird"),
                httpTypes, nioCore, .product(name: "NIOHTTP1", package: "swift-nio"), logging, crypto, cryptoExtras,
            ]),
        module("TrendyTestSupport", at: "TestSupport", ["TrendyDomain"]),
        module(
            "TrendyApp", at: "App",
            ["TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", argumentParser, configuration, logging]),
        .executableTarget(
            name: "trendy", dependencies: ["TrendyApp"], path: "Modules/Executable", swiftSettings: strict),

        .executableTarget(
            name: "trendy-bench", dependencies: ["TrendyDomain", "TrendyData", "TrendySync", grdb],
            path: "Benchmarks/Suite", swiftSettings: strict),
        .executableTarget(
            name: "trendy-baseline", dependencies: [grdb], path: "Benchmarks/Baseline", swiftSettings: strict),

        tests("DomainTests", ["TrendyDomain", "TrendyTestSupport"]),
        tests("DataTests", ["TrendyDomain", "TrendyData", "TrendyTestSupport", grdb]),
        tests("ClientTests", ["TrendyDomain", "TrendyData", "TrendyTestSupport"]),
        tests("SyncTests", ["TrendyDomain", "TrendySync", "TrendyTestSupport"]),
        tests(
            "ServerTests",
            [
                "TrendyDomain", "TrendyServer", "TrendyTestSupport", hummingbird, httpTypes, nioCore,
                .product(name: "NIOPosix", package: "swift-nio"), grdb, logging,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]),
        tests(
            "AppTests",
            ["TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyApp", "TrendyTestSupport"]),
        testing(
            "TrendySimulator", at: "Simulator",
            ["TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyTestSupport"]),
        tests(
            "SimulationTests",
            ["TrendyDomain", "TrendyData", "TrendySync", "TrendyServer", "TrendyTestSupport", "TrendySimulator"]),
        .executableTarget(
            name: "trendy-sim", dependencies: ["TrendySimulator", argumentParser], path: "Tests/SimulatorCommand",
            swiftSettings: strict),
        testing(
            "TrendyFaultProxy", at: "FaultProxy",
            [
                nioCore, .product(name: "NIOPosix", package: "swift-nio"),
            ]),
        tests("EndToEndTests", ["TrendyDomain", "TrendyFaultProxy", "trendy", grdb]),
        tests("ArchitectureTests", []),
    ]
)
