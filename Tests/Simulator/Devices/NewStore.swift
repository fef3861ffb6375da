import Foundation
import Synchronization
import TrendyData

/// The file of a store in which nothing is yet: made once by the real migrations and copied for each device, because to
/// make it takes as long as ten syncs.
enum NewStore {
    private static let files = Mutex<[Bool: Data]>([:])

    /// - Parameters:
    ///   - knowsMemos: Whether the store is that of the newest version.
    ///   - open: Opens a store of that version.
    static func copy(to path: String, _ knowsMemos: Bool, open: (String) -> LocalStoreFactory) throws {
        let file = try files.withLock { files in
            if let known = files[knowsMemos] { return known }
            // Who closes a store last leaves all of it in the one file.
            try open(path).open()
            let made = try Data(contentsOf: URL(filePath: path))
            files[knowsMemos] = made
            return made
        }
        try file.write(to: URL(filePath: path))
    }
}
