import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("CompositionRoot")
struct CompositionRootTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func root(_ overrides: (inout DependencyRegistrations) -> Void = { _ in }) -> CompositionRoot {
        CompositionRoot(
            configuration: TrendyConfiguration(folders: Folders(data: shell.home.path, config: shell.home.path)),
            process: .current(), overrides: overrides)
    }

    @Test("the product's graph and that of the tests are complete")
    func complete() throws {
        #expect(root().container.validate() == [])
        #expect(DependencyContainer(.testing()).validate() == [])
        try root().validate()
    }

    @Test("everything that is registered can be made, and the parts are shared")
    func parts() throws {
        let root = root()
        #expect(try root.engine === root.container.resolve(SyncEngine.self))
        #expect(try root.eventStore.engine === root.engine)
        #expect(try root.stores === root.container.resolve((any DataStoreFactory).self) as? LocalStoreFactory)
        #expect(try root.lookup.hasType(named: "none") == false)
        #expect(try root.reader.counts().values.allSatisfy { $0 == 0 })
        #expect(try root.signIn.current == nil)
        _ = try (
            root.repository, root.networkClient,
            root.makeClient(ServerAddress(parse: "http://h"), root.signIn.credentials)
        )
    }

    @Test(
        "what a local command does not use is not made",
        arguments: [["type", "add", "run"], ["list"], ["type", "list"]])
    func local(_ command: [String]) async throws {
        let (signIns, engines) = (Counter(), Counter())
        shell.overrides = { graph in
            graph.register(ServerSession.self) {
                signIns.next()
                throw CommandFailure.usage("not for local commands")
            }
            graph.register(SyncEngine.self, from: (any DataStoreFactory).self) { stores in
                engines.next()
                return SyncEngine(networkClient: MockNetworkClient(), dataStoreFactory: stores)
            }
        }
        #expect(try await shell.run(command).status == 0)
        #expect(signIns.value == 0)
        #expect(engines.value == (command.contains("add") ? 1 : 0))
        #expect(try await shell.run("status").status == 64)
        #expect(signIns.value == 1)
    }

    @Test("a graph that lacks something is refused before anything is touched, with every fault and its path")
    func refused() async throws {
        shell.overrides = { graph in
            graph.register(StoreReader.self, from: Int.self) { _ in throw CancellationError() }
            graph.register((any WallClock).self, from: SyncEngine.self) { _ in SystemWallClock() }
        }
        let answer = try await shell.run("type", "add", "run")
        #expect(answer.status == 70)
        #expect(answer.errors.contains("Int is not registered and needed by RecordLookup → StoreReader"))
        #expect(answer.errors.contains("APIClientFactory → WallClock → SyncEngine: each needs the next"))
        #expect(!shell.stores.exists)
    }
}

extension LocalStoreFactory {
    /// True where there is a file already.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }
}
