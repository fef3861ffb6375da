#if Postgres
    import TrendyProcesses

    @testable import TrendyServer

    extension PostgresCluster {
        /// The address of a new, empty schema.
        func makeSchema() throws -> String {
            let name = nextSchema()
            try PostgresConnection(PostgresURL(url())).run("CREATE SCHEMA \(name)")
            return url(schema: name)
        }
    }

    /// A way into a database beside the stores: for what an operator, or a mishap, does.
    func asOperator(_ url: String, _ commands: String...) throws { try asOperator(url, commands) }

    private func asOperator(_ url: String, _ commands: [String]) throws {
        let connection = try PostgresConnection(PostgresURL(url))
        for command in commands { try connection.run(command) }
    }

    /// Copies what a server keeps of records. The answer puts that back, as a snapshot of the database is put back.
    func copyRecords(_ url: String) throws -> @Sendable () throws -> Void {
        let mark = "c\(UInt64.random(in: 0 ... .max))"
        let tables = ["history", "run", "record", "record_reference", "usage", "outcome"]
        try asOperator(url, tables.map { "CREATE TABLE \(mark)_\($0) AS TABLE \($0)" })
        return {
            let commands = tables.flatMap { ["DELETE FROM \($0)", "INSERT INTO \($0) TABLE \(mark)_\($0)"] }
            try asOperator(url, ["BEGIN"] + commands + ["COMMIT"])
        }
    }
#endif
