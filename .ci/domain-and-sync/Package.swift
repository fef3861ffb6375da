// swift-tools-version: 6.2

import PackageDescription

/// A package of somebody else that takes two modules of Trendy: see `.ci/taking-two-modules`.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "trendy", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [
                .product(name: "TrendyDomain", package: "trendy"), .product(name: "TrendySync", package: "trendy"),
            ])
    ]
)
