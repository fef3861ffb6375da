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

let trendy: [Target.Dependency] = ["TrendyDomain", "TrendyData", "TrendySync"].map {
    .product(name: $0, package: "trendy")
}

let package = Package(
    name: "own-backend",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "OwnBackend", targets: ["OwnBackend"])],
    // The name makes it `trendy` above, whatever the folder is called that it was cloned into.
    dependencies: [.package(name: "trendy", path: "../../..")],
    targets: [
        .target(name: "OwnBackend", dependencies: trendy, swiftSettings: strict),
        .testTarget(name: "OwnBackendTests", dependencies: ["OwnBackend"] + trendy, swiftSettings: strict),
    ]
)
