/// A module, and all that it may use.
struct Layer: Sendable {
    /// The name of the target.
    let name: String
    /// The folder of its sources.
    let folder: String
    /// The targets of this package that it depends on.
    let uses: [String]
    /// The products of other packages that it depends on; their modules have the same names.
    let packages: [String]
    /// The modules of the toolchain that it may import.
    let platform: [String]

    init(_ name: String, in folder: String, uses: [String] = [], packages: [String] = [], platform: [String] = []) {
        self.name = name
        self.folder = folder
        self.uses = uses
        self.packages = packages
        self.platform = platform
    }

    func mayImport(_ module: String) -> Bool {
        uses.contains(module) || packages.contains(module) || platform.contains(module) || module == "Swift"
    }
}

/// A place where the code breaks a rule.
struct Violation: Hashable, CustomStringConvertible {
    /// The path from the root of the package.
    let file: String
    /// The line, counted from 1; nil where the whole file is meant.
    let line: Int?
    let message: String

    var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
