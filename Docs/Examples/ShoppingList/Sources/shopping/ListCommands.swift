import ArgumentParser
import ShoppingList
import ShoppingRecords

extension ShoppingCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put an item on the list.")
        @Argument(help: "What to buy.") var name: String
        @Option(help: "How many.") var quantity = 1
        @Option(help: "What to mind.") var note: String?
        @OptionGroup var place: Place

        @MainActor
        func run() async throws {
            let list = try await place.list()
            await list.addItem(name: name, quantity: quantity, note: note)
            try list.check()
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the list.")
        @OptionGroup var place: Place

        @MainActor
        func run() async throws {
            let list = try await place.list()
            for (index, item) in list.items.enumerated() { print("\(index + 1). \(item.line)") }
            if list.pendingCount > 0 { print("\(list.pendingCount) changes wait for the next sync") }
        }
    }

    struct Buy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Mark an item as bought.")
        @Argument(help: "The item's name, or its number in the list.") var item: String
        @OptionGroup var place: Place

        @MainActor
        func run() async throws {
            let list = try await place.list()
            await list.setPurchased(true, id: try list.find(item))
            try list.check()
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take an item off the list.")
        @Argument(help: "The item's name, or its number in the list.") var item: String
        @OptionGroup var place: Place

        @MainActor
        func run() async throws {
            let list = try await place.list()
            await list.removeItem(id: try list.find(item))
            try list.check()
        }
    }
}

extension ShoppingItem {
    /// The item as a line of text: `[x] 2 milk (whole)`.
    var line: String {
        "[\(isPurchased ? "x" : " ")] \(quantity) \(name)" + (note.map { " (\($0))" } ?? "")
    }
}
