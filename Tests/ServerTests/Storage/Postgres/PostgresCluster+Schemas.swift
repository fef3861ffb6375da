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
    func asOperator(_ url: String, _ commands: String...) throws {
        let connection = try PostgresConnection(PostgresURL(url))
        for command in commands { try connection.run(command) }
    }
#endif
