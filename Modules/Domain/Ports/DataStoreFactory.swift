/// Makes units of work on one store.
///
/// A unit of work is not `Sendable`. An actor gets the factory, and makes a store inside its own isolation for each
/// piece of work.
public protocol DataStoreFactory: Sendable {
    /// A fresh unit of work.
    ///
    /// - Throws: ``StoreError`` where the store cannot be opened.
    func makeDataStore() throws -> any DataStoreProtocol
}
