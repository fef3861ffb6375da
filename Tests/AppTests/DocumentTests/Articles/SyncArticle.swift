import Testing
import TrendyDomain
import TrendySync

func makeEngine(client: any NetworkClientProtocol, stores: any DataStoreFactory) throws -> SyncEngine {
    SyncEngine(networkClient: client, dataStoreFactory: stores, schema: try EntitySchema([Book.self]))
}
