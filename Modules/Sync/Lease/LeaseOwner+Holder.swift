import Foundation
public import TrendyDomain

extension LeaseOwner {
    /// The name of the holder who syncs a store at this moment; nil where nobody does.
    ///
    /// A holder whose process has died, or who has not renewed the lease in time, does not hold it any more.
    ///
    /// - Parameter lease: What the store has under ``MetadataKey/lease``.
    public func holder(of lease: String?, at now: Timestamp) -> String? {
        guard let lease, let row = try? WireCoding.decode(SyncLease.Row.self, from: Data(lease.utf8)) else {
            return nil
        }
        let holder = holder(of: row)
        return holder.isHeld(at: now) ? holder.name : nil
    }

    func holder(of row: SyncLease.Row) -> LeaseHolder {
        LeaseHolder(name: row.owner, expiresAt: row.expiresAt, isAlive: isAlive(row.owner))
    }
}
