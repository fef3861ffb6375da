#if Postgres
    import CPostgres

    /// Where a database is, and who signs in to it.
    struct PostgresURL: Sendable {
        /// What libpq connects by. It may have a password in it: it is never shown.
        let conninfo: String
        /// The database's name and host, for people to read.
        let name: String

        /// Reads `postgresql://USER:PASSWORD@HOST:PORT/DATABASE?OPTION=VALUE`.
        ///
        /// - Throws: ``ServerStartError/badDatabaseURL``, which does not repeat the URL: it may have a password in it.
        init(_ text: String) throws(ServerStartError) {
            let schemes = ["postgresql://", "postgres://"]
            guard let scheme = schemes.first(where: { text.hasPrefix($0) }), !text.utf8.contains(0) else {
                throw .badDatabaseURL
            }
            // With a second @, or one behind the host, a part of the password would be taken for a host or a database.
            let parts = text.dropFirst(scheme.count).split(separator: "@", omittingEmptySubsequences: false)
            let isClear = parts.count == 1 || (parts.count == 2 && !parts[0].contains { "/?#".contains($0) })
            guard isClear, let options = PQconninfoParse(text, nil) else { throw .badDatabaseURL }
            defer { PQconninfoFree(options) }
            var values: [String: String] = [:]
            var option = options
            while let keyword = option.pointee.keyword {
                values[String(cString: keyword)] = option.pointee.val.map { String(cString: $0) }
                option += 1
            }
            // libpq repeats a wrong port in what it says.
            guard values["port"].map({ Int($0) != nil }) ?? true else { throw .badDatabaseURL }
            let defaults = [("connect_timeout", "10"), ("application_name", "trendy"), ("client_encoding", "UTF8")]
            var separator = text.contains("?") ? "&" : "?"
            conninfo = defaults.filter { values[$0.0] == nil }.reduce(text) { conninfo, option in
                defer { separator = "&" }
                return "\(conninfo)\(separator)\(option.0)=\(option.1)"
            }
            let host = values["host"] ?? values["hostaddr"] ?? "this machine"
            let place = values["port"].map { "\(host), port \($0)" } ?? host
            name = "\(values["dbname"] ?? values["user"] ?? "of the user") on \(place)"
        }
    }
#endif
