/// Makes units of work on one store.
///
/// A unit of work is not `Sendable`: an actor is given the factory and makes its stores inside its own
/// isolation, one for each piece of work.
public protocol DataStoreFactory: Sendable {
    /// A fresh unit of work.
    ///
    /// - Throws: ``StoreError`` where the store cannot be opened.
    func makeDataStore() throws -> any DataStoreProtocol
}
