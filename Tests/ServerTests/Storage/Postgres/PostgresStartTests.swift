#if Postgres
    import Foundation
    import Testing
    import TrendyDomain
    import TrendyProcesses

    @testable import TrendyServer

    @Suite("The start on PostgreSQL")
    struct PostgresStartTests {
        @Test(
            "refuses an address that it cannot read, and does not repeat it",
            arguments: [
                "", "secret", "mysql://u:secret@host/db", "postgresql://u:se@cret@host/db",
                "postgresql://u:se/cret@host/db",
                "postgresql://u:se?cret@host/db", "postgresql://u:se#cret@host/db", "postgresql://u@host/db?secret=1",
                "postgresql://u@host:port/db", "postgresql://u:%zzsecret@host/db",
            ])
        func unreadable(url: String) throws {
            let error = try #require(throws: ServerStartError.self) { try PostgresServerStore(url: url) }
            #expect(error == .badDatabaseURL && !"\(error)".contains("secret") && !"\(error)".contains("\n"))
        }

        @Test("says in one sentence that nothing answers, without the password")
        func unreachable() throws {
            let error = try #require(throws: ServerStartError.self) {
                try PostgresServerStore(url: "postgresql://u:secret@127.0.0.1:1/db")
            }
            #expect("\(error)".hasPrefix("the database db on 127.0.0.1, port 1 cannot be used: "))
            #expect(
                "\(error)".contains("Connection refused") && "\(error)".contains("; check that PostgreSQL runs there"))
            #expect(!"\(error)".contains("secret") && !"\(error)".contains("\n"))
        }

        @Test(
            "refuses the tables of an older or a newer version and those of another program",
            .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"))
        func otherTables() throws {
            let cluster = try PostgresCluster.shared.get()
            let newer = try cluster.makeSchema()
            _ = try PostgresServerStore(url: newer)
            try asOperator(newer, "UPDATE trendy_schema SET version = 1")
            #expect(throws: ServerStartError.developmentStore) { try PostgresServerStore(url: newer) }
            try asOperator(newer, "UPDATE trendy_schema SET version = 9")
            #expect(throws: ServerStartError.newerStore) { try PostgresServerStore(url: newer) }
            let foreign = try cluster.makeSchema()
            try asOperator(foreign, "CREATE TABLE token (id int)", "INSERT INTO token VALUES (1)")
            let error = try #require(throws: ServerStartError.self) { try PostgresServerStore(url: foreign) }
            guard case .foreignDatabase = error else { throw error }
            try asOperator(foreign, "SELECT id FROM token")
        }

        @Test(
            "brings the tables of before runs up to date, by several servers at once",
            .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"))
        func beforeRuns() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try ServerWorld(store: PostgresServerStore(url: url))
            _ = try world.create(EventType.sample())
            try asOperator(
                url, "ALTER TABLE history DROP COLUMN run", "DROP TABLE run", "UPDATE trendy_schema SET version = 5")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = try PostgresServerStore(url: url) } }
                try await group.waitForAll()
            }
            let later = try ServerWorld(store: PostgresServerStore(url: url))
            let epoch = try later.records.head(userId: "ann").epoch
            _ = try later.create(Event.sample(2))
            #expect(try later.sync(SyncRequest(epoch: epoch, cursor: "1")).changes.map(\.revision) == [2])
        }

        @Test(
            "says that the user may not make tables",
            .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"))
        func mayNot() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            try asOperator(
                url, "CREATE ROLE guest LOGIN",
                "DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO guest', current_schema()); END $$")
            let error = try #require(throws: ServerStartError.self) {
                try PostgresServerStore(url: url.replacing("trendy@", with: "guest@"))
            }
            #expect("\(error)".contains("permission denied") && "\(error)".contains("make tables"))
        }
    }
#endif
