import Foundation
import ShoppingList
import ShoppingRecords
import Testing
import TrendyData
import TrendyDomain
import TrendySync

@Suite("Two devices and the server")
struct TwoDevicesTests {
    /// Two devices of one person that hold the same three items.
    private func withDevices(
        _ body: @escaping @Sendable (Device, Device, [ShoppingItem]) async throws -> Void
    ) async throws {
        try await withShoppingServer { server in
            let (phone, laptop) = (try Device(server), try Device(server))
            try await phone.module.client.signup(email: "ann@example.org", password: "correct horse")
            try await laptop.module.client.login(email: "ann@example.org", password: "correct horse")
            var items: [ShoppingItem] = []
            for name in ["milk", "bread", "apples"] { items.append(try await phone.add(name)) }
            await phone.sync()
            await laptop.sync()
            #expect(try await expectAgreement(phone, laptop) == items)
            try await body(phone, laptop, items)
        }
    }

    @Test("keep two people's lists apart in one folder", .timeLimit(.minutes(1)))
    func twoPeople() async throws {
        try await withShoppingServer { server in
            let phone = try Device(server)
            try await phone.module.client.signup(email: "ann@example.org", password: "correct horse")
            try await phone.module.keepApart()
            let milk = try await phone.add("milk")
            try await phone.module.client.signup(email: "bob@example.org", password: "correct horse")
            await #expect(throws: StoreOwnershipError.self) { try await phone.module.keepApart() }
            #expect(await phone.module.sync.sync().failure == .signedOut)

            try await phone.module.client.login(email: "ann@example.org", password: "correct horse")
            try await phone.module.keepApart()
            await phone.sync()
            let laptop = try Device(server)
            try await laptop.module.client.login(email: "ann@example.org", password: "correct horse")
            await laptop.sync()
            #expect(try await expectAgreement(phone, laptop) == [milk])
        }
    }

    @Test("agree after both have added, changed and removed items offline")
    func offlineEdits() async throws {
        try await withDevices { phone, laptop, items in
            try await phone.edit(items[0].id) { $0.isPurchased = true }
            try await phone.remove(items[1])
            let cheese = try await phone.add("cheese", quantity: 2, note: "the hard one")
            try await laptop.edit(items[2].id) { $0.note = "sour" }
            let tea = try await laptop.add("tea")
            try await laptop.remove(tea)
            let rice = try await laptop.add("rice")

            await phone.sync()
            await laptop.sync()
            await phone.sync()

            var (milk, apples) = (items[0], items[2])
            milk.isPurchased = true
            apples.note = "sour"
            let expected = [milk, apples, cheese, rice].sorted { $0.id < $1.id }
            #expect(try await expectAgreement(phone, laptop) == expected)
        }
    }

    @Test("agree after both have changed one item: different fields of it both stay")
    func differentFields() async throws {
        try await withDevices { phone, laptop, items in
            try await phone.edit(items[0].id) { $0.quantity = 3 }
            try await laptop.edit(items[0].id) { $0.isPurchased = true }
            await phone.sync()
            await laptop.sync()
            await phone.sync()
            var milk = items[0]
            milk.quantity = 3
            milk.isPurchased = true
            #expect(try await expectAgreement(phone, laptop).first == milk)
        }
    }

    @Test("agree after both have changed one field: the later sync wins, and the value that lost is kept")
    func sameField() async throws {
        try await withDevices { phone, laptop, items in
            try await phone.edit(items[0].id) { $0.quantity = 3 }
            try await laptop.edit(items[0].id) { $0.quantity = 5 }
            await phone.sync()
            await laptop.sync()
            await phone.sync()
            #expect(try await expectAgreement(phone, laptop).first?.quantity == 5)
            let conflicts = try laptop.documents(SyncConflict.self)
            #expect(conflicts.map(\.field) == ["quantity"])
            #expect(conflicts.map(\.remoteValue) == [3])
            #expect(try phone.documents(SyncConflict.self).isEmpty)
        }
    }

    @Test("agree after one has removed what the other has changed before: it stays removed")
    func removedAfterChange() async throws {
        try await withDevices { phone, laptop, items in
            try await laptop.edit(items[0].id) { $0.note = "the blue one" }
            await laptop.sync()
            try await phone.remove(items[0])
            await phone.sync()
            await laptop.sync()
            #expect(try await expectAgreement(phone, laptop) == Array(items.dropFirst()))
        }
    }

    @Test("an edit of an item that was removed elsewhere waits for the person and brings nothing back")
    func editOfRemoved() async throws {
        try await withDevices { phone, laptop, items in
            try await phone.remove(items[0])
            try await laptop.edit(items[0].id) { $0.note = "the blue one" }
            await phone.sync()
            let report = await laptop.module.sync.sync()
            #expect(report.failure == nil && report.parked == 1 && report.conflicts == 1)
            await phone.sync()
            #expect(try await phone.items == Array(items.dropFirst()))
            #expect(try laptop.documents(SyncConflict.self).map(\.kind) == [.editedHereDeletedElsewhere])
        }
    }

    @Test("keep everything while no server answers")
    func withoutServer() async throws {
        let nobody = try Device(try ServerAddress(parse: "http://127.0.0.1:1"))
        let item = try await nobody.add("milk")
        let report = await nobody.module.sync.sync()
        #expect(report.failure != nil && report.pending == 1)
        #expect(try await nobody.items == [item])
    }
}

extension Device {
    /// What the engine remembers in this device's store.
    func documents<Document: StoredDocument>(_ type: Document.Type) throws -> [Document] {
        try stores().makeReader().documents(type)
    }

    private func stores() throws -> LocalStoreFactory {
        try ShoppingListModuleFactory.makeStores(in: folder.url)
    }
}
