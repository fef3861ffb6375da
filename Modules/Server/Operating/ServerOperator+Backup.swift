public import Foundation
import TrendyDomain

extension ServerOperator {
    /// Writes a copy of everything, as it is at one moment, into a file; it is checked, and on disk, before it takes the
    /// file's name.
    ///
    /// - Parameter isForced: Whether a file that is there already is replaced.
    /// - Returns: What a check of the copy has found: no problems.
    /// - Throws: ``OperatorError``; where the copy has problems, no file is written.
    public func backUp(to file: URL, isForced: Bool) throws -> CheckReport {
        guard let store = store as? SQLiteServerStore else {
            throw OperatorError.onlySQLite(instead: "use pg_dump, which copies it while servers run")
        }
        let path = file.path(percentEncoded: false)
        if !isForced, FileManager.default.fileExists(atPath: path) { throw OperatorError.exists(path: path) }
        let temporary = URL(filePath: "\(path).\(ProcessInfo.processInfo.processIdentifier).part")
        defer { DatabaseFile.remove(temporary) }
        do {
            try store.copy(to: temporary)
        } catch {
            throw OperatorError.notWritten(path: path, reason: DatabaseFile.reason(error))
        }
        let report = try DatabaseFile.check(temporary, catalog: catalog)
        guard report.problems.isEmpty else {
            throw OperatorError.notWritten(
                path: path,
                reason: "the data is damaged, as 'trendy server check' tells: \(report.problems[0])")
        }
        try DatabaseFile.rename(temporary, to: file)
        return report
    }
}
