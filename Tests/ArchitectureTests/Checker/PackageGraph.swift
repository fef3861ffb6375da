import Foundation

/// The targets of a package and what each depends on, as the package manager itself reads the manifest.
struct PackageGraph: Decodable {
    struct Target: Decodable {
        let name: String
        /// `regular`, `executable`, `test` …
        let type: String
        /// The folder of its sources, where the manifest names one.
        let path: String?
        /// The targets and products that it depends on.
        let dependencies: [String]

        private enum CodingKeys: String, CodingKey {
            case name, type, path, dependencies
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            type = try container.decode(String.self, forKey: .type)
            path = try container.decodeIfPresent(String.self, forKey: .path)
            dependencies = try container.decode([Dependency].self, forKey: .dependencies).map(\.name)
        }
    }

    let targets: [Target]

    /// Reads the manifest of the package at `root`, without resolving or fetching anything.
    ///
    /// Runs beside a build or a test of the same package: it uses folders of its own.
    static func read(root: URL) throws -> PackageGraph {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "layers-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path,
            "--manifest-cache", "none", "dump-package",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let json = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw UnreadableManifest(root: root.path) }
        return try JSONDecoder().decode(PackageGraph.self, from: json)
    }
}

/// The package manager cannot read the manifest; it has said why on standard error.
struct UnreadableManifest: Error {
    let root: String
}

/// One dependency, as `dump-package` writes it: `{"byName": ["A", null]}`, `{"product": ["A", "package", …]}`.
private struct Dependency: Decodable {
    let name: String

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case byName, target, product
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = CodingKeys.allCases.first(where: container.contains) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no known kind of dependency"))
        }
        var values = try container.nestedUnkeyedContainer(forKey: key)
        name = try values.decode(String.self)
    }
}
