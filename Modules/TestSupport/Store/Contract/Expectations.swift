import TrendyDomain

/// Throws a violation where the condition does not hold.
func expect(_ condition: Bool, _ promise: @autoclosure () -> String) throws {
    if !condition { throw ContractViolation(description: promise()) }
}

/// Throws a violation where the two values differ.
func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, _ what: @autoclosure () -> String) throws {
    if found != expected {
        throw ContractViolation(description: "\(what()): found \(found), expected \(expected)")
    }
}

/// Throws a violation unless the body throws the store error.
func expectError<Result>(_ expected: StoreError, _ what: String, _ body: () throws -> Result) throws {
    do {
        _ = try body()
    } catch let error as StoreError where error == expected {
        return
    } catch {
        throw ContractViolation(description: "\(what): threw \(error), expected \(expected)")
    }
    throw ContractViolation(description: "\(what): threw nothing, expected \(expected)")
}

extension DataStoreFactory {
    /// Does a piece of work in a unit of its own, and saves it.
    @discardableResult
    func saving<Result>(_ body: (any DataStoreProtocol) throws -> Result) throws -> Result {
        let store = try makeDataStore()
        let result = try body(store)
        try store.save()
        return result
    }

    /// Does a piece of work in a unit of its own, and drops it.
    @discardableResult
    func reading<Result>(_ body: (any DataStoreProtocol) throws -> Result) throws -> Result {
        try body(makeDataStore())
    }
}
