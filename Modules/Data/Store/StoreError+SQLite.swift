import Foundation
import GRDB
import TrendyDomain

extension StoreError {
    /// Says what an error means for whoever uses the store.
    ///
    /// - Parameter path: The file of the store.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self.init(error, path: path)
        default: self = .failed("\(error)")
        }
    }

    private init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .busy
        case .SQLITE_NOTADB:
            self = .corrupt("\(path) is no database; move it away, or name another folder")
        case .SQLITE_CORRUPT:
            self = .corrupt("\(path): \(error.message ?? "damaged"); move it away and sync again, or restore a copy")
        case .SQLITE_CANTOPEN where Self.isFolder(path):
            self = .inaccessible("\(path) is a folder; move it away, or name another folder for the store")
        case .SQLITE_CANTOPEN:
            self = .inaccessible("\(path): the file cannot be opened; check the folder and its permissions")
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self = .inaccessible("\(path): the file or its folder is read-only; change its permissions")
        case .SQLITE_FULL:
            self = .inaccessible("\(path): the disk is full; make room and try again")
        case .SQLITE_IOERR:
            // Where the file of the shared index cannot grow, SQLite says this and not that the disk is full. Its extended
            // code says which call failed.
            let reason = "\(error.message ?? "reading or writing failed") (\(error.extendedResultCode.rawValue))"
            self = .inaccessible("\(path): \(reason): the disk is full or fails; make room, or check the disk")
        default:
            let reason = error.message ?? error.resultCode.description
            self = .failed(reason + (Self.missesShape(reason) ? "; a StoreMigration has to make it" : ""))
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Whether SQLite looked in vain for a table or a column: SQLite has no code for that, only these words.
    private static func missesShape(_ reason: String) -> Bool {
        ["no such table", "no such column", "has no column"].contains { reason.contains($0) }
    }
}

extension DecodingError {
    /// The error in one clause: the field, and what is wrong with it.
    fileprivate var clause: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            let field = context.codingPath.map(\.stringValue).joined(separator: ".")
            return field.isEmpty ? context.debugDescription : "\(field): \(context.debugDescription)"
        @unknown default:
            return "\(self)"
        }
    }
}

/// What is wrong with a stored or a given value, in one clause.
func codingReason(_ error: any Error) -> String {
    switch error {
    case let error as DecodingError: error.clause
    case EncodingError.invalidValue(_, let context):
        (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: ": ")
    default: "\(error)"
    }
}
