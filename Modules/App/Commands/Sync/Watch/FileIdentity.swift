import Foundation

/// Tells a file from another one that has taken its name.
struct FileIdentity: Equatable {
    private let number: Int
    private let fileSystem: Int

    /// The file of that name; nil where there is none.
    init?(_ path: String) {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let number = found[.systemFileNumber] as? Int, let fileSystem = found[.systemNumber] as? Int
        else { return nil }
        (self.number, self.fileSystem) = (number, fileSystem)
    }
}
