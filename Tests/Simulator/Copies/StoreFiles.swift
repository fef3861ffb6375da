import Foundation

/// The files of a store, as a copy of their folder has them.
struct StoreFiles {
    private let database: Data
    private let log: Data?

    init(at path: String) throws {
        database = try Data(contentsOf: URL(filePath: path))
        // What was committed last is in the log.
        log = try? Data(contentsOf: URL(filePath: "\(path)-wal"))
    }

    func write(to path: String) throws {
        try database.write(to: URL(filePath: path))
        try log?.write(to: URL(filePath: "\(path)-wal"))
    }
}
