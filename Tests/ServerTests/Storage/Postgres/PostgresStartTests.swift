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
            "brings the names of an older database under their present rule, and keeps two that are the same now",
            .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"))
        func olderNames() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            var world = try ServerWorld(store: PostgresServerStore(url: url))
            for (number, name) in zip(UInt64(1)..., ["Café", "tea", "mocha"]) {
                _ = try world.create(EventType.sample(number, name: name))
            }
            let mocha = PostgresKey.key("mocha").map { String(format: "%02x", $0) }.joined()
            try asOperator(
                url,
                """
                UPDATE record SET document = replace(encode(document, 'escape'), 'mocha', 'CAFE')::bytea
                WHERE natural_key = '\\x\(mocha)'
                """,
                "UPDATE record SET document = replace(encode(document, 'escape'), 'tea', 'Cafe')::bytea",
                "UPDATE record SET natural_key = document", "ALTER TABLE history DROP COLUMN run", "DROP TABLE run",
                "UPDATE trendy_schema SET version = 5")
            world = try ServerWorld(store: PostgresServerStore(url: url))
            #expect(try world.list(.eventType).count == 3)
            for (name, holder) in [("CAFÉ", id(1)), ("cafe", id(2))] {
                let refusal = problem { try world.create(EventType.sample(4, name: name)) }
                #expect(refusal?.detail.contains(holder) == true, "\(name): \(refusal?.detail ?? "taken")")
            }
            _ = try ServerWorld(store: PostgresServerStore(url: url))
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
