import Foundation

/// Tells a file from another one that has taken its name.
struct FileIdentity: Equatable {
    private let number: Int
    private let fileSystem: Int

    /// The file or folder that the name leads to, links followed; nil where there is none.
    init?(_ path: String) {
        let end = URL(filePath: path).resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: end),
            let number = found[.systemFileNumber] as? Int, let fileSystem = found[.systemNumber] as? Int
        else { return nil }
        (self.number, self.fileSystem) = (number, fileSystem)
    }
}
