#if Postgres
    import Foundation
    import Testing
    import TrendyDomain
    import TrendyProcesses

    @Suite(
        "Three servers behind nginx, on one PostgreSQL",
        .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"),
        .enabled(if: Nginx.program != nil, "\(Nginx.absence)"), .fewAtOnce, .timeLimit(.minutes(10)))
    struct ThreeServersTests {
        private static let rounds = 6

        @Test("lose nothing and do nothing twice, whichever of them are killed, and PostgreSQL with them")
        func mishaps() async throws {
            let cluster = try PostgresCluster()
            let site = try await Site.start(on: cluster)
            let devices = [try Device(), try Device(), try Device()]
            try await devices[0].signUp(at: site.address)
            for device in devices.dropFirst() { try await device.logIn(at: site.address) }
            try await devices[0].done("type", "add", "run")
            for device in devices { try await device.sync() }

            let logged = try await withThrowingTaskGroup(of: [String].self) { group in
                for (number, device) in devices.enumerated() {
                    group.addTask { try await write(on: device, number) }
                }
                try await site.suffer()
                return try await group.reduce(into: []) { $0 += $1 }
            }

            for _ in 0..<3 {
                for device in devices { try await device.done("sync", "--now") }
            }
            try await expectAgreement(devices[0], devices[1])
            try await expectAgreement(devices[0], devices[2])
            let notes = try await devices[0].events().compactMap(\.entity.notes)
            #expect(logged.count == 3 * Self.rounds * 3 && notes.sorted() == logged.sorted())
        }

        /// Logs and syncs, whatever becomes of the syncs. Returns the notes.
        private func write(on device: Device, _ number: Int) async throws -> [String] {
            var notes: [String] = []
            for round in 0..<Self.rounds {
                for event in 0..<3 {
                    notes.append("device \(number), round \(round), \(event)")
                    try await device.log("run", "--note", notes[notes.count - 1])
                }
                _ = try await device.run("sync")
                _ = try await device.run("sync", "--now")
            }
            return notes
        }
    }

    /// Servers, PostgreSQL, and nginx before them.
    private actor Site {
        nonisolated let address: String
        private let cluster: PostgresCluster
        private let nginx: Nginx
        private let folder: Folder
        private var servers: [ServerProcess]

        private init(_ cluster: PostgresCluster, _ nginx: Nginx, _ folder: Folder, _ servers: [ServerProcess]) {
            address = nginx.address
            (self.cluster, self.nginx, self.folder, self.servers) = (cluster, nginx, folder, servers)
        }

        static func start(on cluster: PostgresCluster) async throws -> Site {
            let folder = try Folder()
            var servers: [ServerProcess] = []
            for _ in 0..<3 { servers.append(try await ServerProcess.start(database: cluster.url(), log: folder)) }
            return Site(cluster, try Nginx(before: servers.map(\.port)), folder, servers)
        }

        /// Each server is killed and started again; in between connections are cut, and PostgreSQL crashes.
        func suffer() async throws {
            for place in servers.indices {
                await servers[place].stop(SIGKILL)
                try await cluster.run(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
                    """)
                if place == 1 { try await cluster.restart() }
                servers[place] = try await ServerProcess.start(
                    database: cluster.url(), port: servers[place].port, log: folder)
            }
        }
    }
#endif
