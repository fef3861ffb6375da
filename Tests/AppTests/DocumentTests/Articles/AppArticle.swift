import TrendyApp
import TrendyDomain

@MainActor
func makeEventStore(in process: ProcessContext) throws -> EventStore {
    let folders = try Folders(environment: process.environment)
    let root = CompositionRoot(configuration: TrendyConfiguration(folders: folders), process: process)
    try root.validate()
    return try root.eventStore
}
