import ArgumentParser
import Foundation
import ShoppingList
import ShoppingRecords
import TrendyData

@main
struct ShoppingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shopping", abstract: "A shopping list that works without a network, and syncs when there is one.",
        subcommands: [Add.self, List.self, Buy.self, Remove.self, Sync.self, SignUp.self, LogIn.self])
}

/// Where the list is: the options that every command takes.
struct Place: ParsableArguments {
    @Option(help: "The folder of the list; $SHOPPING_HOME where it is not given, else ~/.shopping.")
    var home: String?

    @Option(help: "The server; $SHOPPING_SERVER where it is not given, else http://127.0.0.1:8080.")
    var server: String?

    /// The module over that folder and that server.
    func module() throws -> ShoppingListModule {
        let environment = ProcessInfo.processInfo.environment
        let folder =
            (home ?? environment["SHOPPING_HOME"]).map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".shopping")
        let address = server ?? environment["SHOPPING_SERVER"] ?? "http://127.0.0.1:8080"
        return try ShoppingListModuleFactory.production(
            ShoppingListConfiguration(home: folder, server: try ServerAddress(parse: address)))
    }

    /// A view model with the list in it.
    @MainActor
    func list() async throws -> ShoppingListViewModel {
        let list = try module().makeViewModel()
        await list.load()
        try list.check()
        return list
    }
}

extension ShoppingListViewModel {
    /// Ends the command where something went wrong.
    func check() throws {
        if let errorMessage { throw Failure(errorMessage) }
    }

    /// The id of the item that a person names: by its name, whatever its case, or by its number in the list.
    func find(_ text: String) throws -> String {
        if let number = Int(text), items.indices.contains(number - 1) { return items[number - 1].id }
        let found = items.filter { $0.name.lowercased() == text.lowercased() }
        guard let item = found.first else { throw Failure("no '\(text)' is on the list; see 'shopping list'") }
        guard found.count == 1 else {
            throw Failure("\(found.count) items are called '\(text)'; give the number of one of them")
        }
        return item.id
    }
}

/// What a command could not do, as the person reads it.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
