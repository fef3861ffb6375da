import Foundation

/// The identity of a file, independent of its name.
package struct FileIdentity: Sendable, Equatable {
    private let number: Int
    private let fileSystem: Int

    /// The identity of the file or folder at a path, with links followed; nil if there is none.
    package init?(_ path: String) {
        let end = URL(filePath: path).resolvingSymlinksInPath().path
        guard let found = try? FileManager.default.attributesOfItem(atPath: end),
            let number = found[.systemFileNumber] as? Int, let fileSystem = found[.systemNumber] as? Int
        else { return nil }
        (self.number, self.fileSystem) = (number, fileSystem)
    }
}
