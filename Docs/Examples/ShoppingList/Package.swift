// swift-tools-version: 6.2

import PackageDescription

/// The settings that Trendy itself is built with; a package of yours may choose others.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let domain = Target.Dependency.product(name: "TrendyDomain", package: "trendy")
let data = Target.Dependency.product(name: "TrendyData", package: "trendy")
let sync = Target.Dependency.product(name: "TrendySync", package: "trendy")
let server = Target.Dependency.product(name: "TrendyServer", package: "trendy")
let testSupport = Target.Dependency.product(name: "TrendyTestSupport", package: "trendy")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "shopping-list",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "ShoppingList", targets: ["ShoppingList"]),
        .executable(name: "shopping", targets: ["shopping"]),
        .executable(name: "shopping-server", targets: ["shopping-server"]),
    ],
    dependencies: [
        // The name makes it `trendy` below, whatever the folder is called that it was cloned into.
        .package(name: "trendy", path: "../../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // What device and backend share: the record. No SQLite, no HTTP.
        .target(name: "ShoppingRecords", dependencies: [domain], swiftSettings: strict),
        // The module of the device. SQLite comes in here, with TrendyData.
        .target(
            name: "ShoppingList", dependencies: ["ShoppingRecords", domain, data, sync], swiftSettings: strict),
        // The backend. Hummingbird comes in here, with TrendyServer, and nowhere else.
        .target(name: "ShoppingBackend", dependencies: ["ShoppingRecords", server], swiftSettings: strict),
        .executableTarget(
            name: "shopping", dependencies: ["ShoppingList", "ShoppingRecords", domain, argumentParser],
            swiftSettings: strict),
        .executableTarget(
            name: "shopping-server", dependencies: ["ShoppingBackend", argumentParser], swiftSettings: strict),
        .testTarget(
            name: "ShoppingListTests",
            dependencies: [
                "ShoppingBackend", "ShoppingList", "ShoppingRecords", "shopping", "shopping-server", domain, data,
                sync, server, testSupport,
            ],
            swiftSettings: strict),
    ]
)
