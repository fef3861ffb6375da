import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A route for the exchange that is missing for a while")
struct ExchangeAbsenceTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    private func refuseExchange(with status: Int = 404) async {
        await network.always(.fail(refusal(status)), for: .exchange)
    }

    /// The older routes show the same records as the exchange.
    private func mirror() async throws {
        for type in try device.server.all(EventType.self) { try await network.put(type) }
        for event in try device.server.all(Event.self) { try await network.put(event) }
    }

    /// Has two events and uses the older routes, because the exchange has been missing for days.
    private func leaveExchange() async throws -> (Event, Event) {
        let events = (try await device.syncedCoffee(notes: "first"), try await device.logCoffee(notes: "gone"))
        await device.sync()
        try await mirror()
        await refuseExchange()
        for _ in 0..<3 {
            await device.sync()
            device.wallClock.advance(bySeconds: 86_400)
        }
        #expect(try routes()?.isExchange == false)
        return events
    }

    private func routes() throws -> ServerRoutes? { try device.engine.routes() }

    @Test("does not change how a device syncs, and costs it nothing", arguments: [404, 405, 501])
    func passes(status: Int) async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await mirror()
        try await device.edit(event.id) { $0.notes = "edited" }
        await refuseExchange(with: status)
        for _ in 0..<20 {
            let report = await device.sync()
            #expect(report.failure == .notAServer && report.pending == 1 && report.parked == 0)
            device.wallClock.advance(bySeconds: 3_600)
        }
        #expect(try routes()?.isExchange == true && routes()?.refusedSince == ManualWallClock.defaultStart)
        let cursor = try device.store().exchangePlace().cursor
        #expect(cursor != nil)
        await device.heal()
        let before = device.server.requests.count
        let report = await device.sync()
        #expect(report.failure == nil && report.pushed == 1 && !report.bootstrapped)
        #expect(device.server.requests.dropFirst(before).map(\.cursor) == [cursor])
        #expect(await network.calls.allSatisfy { $0.operation == .exchange })
        #expect(try routes() == ServerRoutes(isExchange: true))
    }

    @Test("at the first sync leaves a device on the older routes until the next one")
    func firstSync() async throws {
        try device.server.create(device.coffee)
        let event = makeEvent(eventTypeId: device.coffee.id)
        try device.server.create(event)
        try await mirror()
        await network.enqueue(.fail(refusal(404)), for: .exchange)
        #expect(await device.sync().failure == nil)
        #expect(try routes() == ServerRoutes(isExchange: false, refusedSince: ManualWallClock.defaultStart))
        #expect(try device.event(event.id) == event)
        let report = await device.sync()
        #expect(report.failure == nil && report.parked == 0 && report.conflicts == 0)
        #expect(try routes() == ServerRoutes(isExchange: true))
        try await device.edit(event.id) { $0.notes = "edited" }
        let before = await network.calls.count
        #expect(await device.sync().pushed == 1)
        #expect(await network.calls.dropFirst(before).map(\.operation) == [.exchange])
        #expect(try device.server.event(event.id)?.notes == "edited")
    }

    @Test("is missing too where a web page says so and the older routes answer", arguments: [404, 405])
    func webPage(status: Int) async throws {
        try device.server.create(device.coffee)
        try await mirror()
        await network.always(.fail(APIError.notAServer("a web page", page: status)), for: .exchange)
        let event = makeEvent(eventTypeId: device.coffee.id)
        try await device.engine.create(event)
        await network.always(.fail(APIError.notAServer("a web page", page: status)), for: .getLatestCursor)
        #expect(await device.sync().failure == .notAServer)
        #expect(try routes()?.isExchange != false && device.open().count == 1)
        await network.always(nil, for: .getLatestCursor)
        let report = await device.sync()
        #expect(report.failure == nil && report.pushed == 1)
        #expect(try routes()?.isExchange == false)
        #expect(try await network.record(Event.self, id: event.id) != nil)
    }

    @Test("is not missing where a web page takes the place of all routes, as that of a captive portal does")
    func portal() async throws {
        _ = try await device.syncedCoffee()
        try await mirror()
        for operation in [MockOperation.exchange, .getLatestCursor] {
            await network.always(.fail(APIError.notAServer("a web page", page: 405)), for: operation)
        }
        for _ in 0..<5 {
            #expect(await device.sync().failure == .notAServer)
            device.wallClock.advance(bySeconds: 86_400)
        }
        await network.always(nil, for: .getLatestCursor)
        await refuseExchange()
        #expect(await device.sync().failure == .notAServer)
        #expect(try routes()?.isExchange == true)
    }

    @Test("is not missing where a web page forbids what was sent")
    func forbidden() async throws {
        await network.always(.fail(APIError.notAServer("a web page", page: 403)), for: .exchange)
        #expect(await device.sync().failure == .notAServer)
        #expect(await network.calls.allSatisfy { $0.operation == .exchange })
    }

    @Test(
        "is asked about ever more seldom, and each day, by a device that uses the older routes",
        arguments: [404, 403, 500])
    func asked(status: Int) async throws {
        await refuseExchange()
        await device.sync()
        await refuseExchange(with: status)
        var asked: [Int] = []
        for minute in stride(from: 10, through: 5 * 1_440, by: 10) {
            device.wallClock.advance(bySeconds: 600)
            let before = await network.callCount(.exchange)
            await device.sync()
            if await network.callCount(.exchange) > before { asked.append(minute) }
        }
        #expect(asked.count < 40)
        #expect(asked.first == 10)
        #expect(zip(asked, asked.dropFirst()).allSatisfy { $1 - $0 <= 1_450 })
    }

    /// Has used the older routes of version 1.0 for so long that it asks once a day, six hours ago for the last time.
    private func useOlderRoutes() async throws {
        try device.server.create(device.coffee)
        try await mirror()
        network.serverProduct = "trendy/1.0"
        await refuseExchange()
        await device.sync()
        for _ in 0..<10 {
            device.wallClock.advance(bySeconds: 86_400)
            await device.sync()
        }
        device.wallClock.advance(bySeconds: 21_600)
        #expect(try routes()?.isExchange == false)
    }

    @Test("ends on a way that lets only small answers through")
    func narrowWay() async throws {
        _ = try await leaveExchange()
        for _ in 0..<30 { try device.server.create(makeEvent(eventTypeId: device.coffee.id)) }
        await network.always(nil, for: .exchange)
        await network.beforeEachCall { call in
            if call.exchange?.limit ?? 0 > 8 { throw APIError.timeout }
        }
        device.wallClock.advance(bySeconds: 86_400)
        #expect(await device.sync().failure == nil)
        #expect(try routes()?.isExchange == true)
        #expect(try Set(device.all(Event.self)) == Set(device.server.all(Event.self)))
    }

    @Test("ends with a full resync that is cut off after its proof, and what others deleted is not taken for lost")
    func cutOffResync() async throws {
        let (_, gone) = try await leaveExchange()
        try device.server.delete(.event, gone.id)
        await network.always(nil, for: .exchange)
        await network.enqueue(.serve, for: .exchange)
        await network.enqueue(.fail(refusal(500)), times: 2, for: .exchange)
        try device.tamper { try $0.askForFullResync() }
        #expect(await device.sync().failure != nil)
        #expect(await device.sync().failure == nil)
        #expect(try device.event(gone.id) == nil && device.open().isEmpty)
        await device.sync()
        #expect(try routes() == ServerRoutes(isExchange: true))
    }

    @Test("is not asked about in every sync where the clock was ahead when it began")
    func clockWasAhead() {
        let now = ManualWallClock.defaultStart
        var absence = ExchangeAbsence(at: now.advanced(bySeconds: 14 * 365 * 86_400))
        absence.refused(at: now)
        #expect(absence.since == now)
        absence.refused(at: now.advanced(bySeconds: 40_000))
        #expect(!absence.isDue(at: now.advanced(bySeconds: 45_000)))
        #expect(absence.isDue(at: now.advanced(bySeconds: 51_000)))
    }

    @Test("is over at once where the server tells another version, and the same version is not asked")
    func anotherVersion() async throws {
        try await useOlderRoutes()
        let asked = await network.callCount(.exchange)
        #expect(await device.sync().failure == nil)
        #expect(await network.callCount(.exchange) == asked)
        network.serverProduct = "trendy/1.1"
        await network.always(nil, for: .exchange)
        let report = await device.sync()
        #expect(report.failure == nil && report.parked == 0 && report.conflicts == 0)
        #expect(try routes() == ServerRoutes(isExchange: true))
        #expect(try device.store().exchangeAbsence() == nil)
    }

    @Test("is asked about once by the processes that hear of another version with their first answers")
    func heardByAnswers() async throws {
        try await useOlderRoutes()
        let asked = await network.callCount(.exchange)
        let upgraded = network
        await upgraded.beforeEachCall { _ in upgraded.serverProduct = "trendy/1.1" }
        for _ in 0..<3 {
            network.serverProduct = nil
            #expect(await device.sync().failure == nil)
        }
        #expect(await network.callCount(.exchange) == asked + 1)
    }

    @Test("is asked about in each sync, while the server of another version is busy", arguments: [502, 503])
    func busy(status: Int) async throws {
        try await useOlderRoutes()
        let asked = await network.callCount(.exchange)
        network.serverProduct = "trendy/1.1"
        await refuseExchange(with: status)
        for _ in 0..<2 { #expect(await device.sync().failure == nil) }
        #expect(await network.callCount(.exchange) == asked + 2)
        await refuseExchange()
        for _ in 0..<2 { #expect(await device.sync().failure == nil) }
        #expect(await network.callCount(.exchange) == asked + 3)
    }

    @Test("has names of several servers behind one address, of which each is news once")
    func severalNames() {
        let now = ManualWallClock.defaultStart.advanced(bySeconds: 30 * 86_400)
        var absence = ExchangeAbsence(at: ManualWallClock.defaultStart)
        absence.refused(at: now)
        var news = 0
        for name in ["nginx", "trendy/1.0", "nginx", "trendy/1.1", "trendy/1.0", "nginx"] {
            let isNews = absence.hears(name)
            #expect(absence.isDue(at: now) == isNews)
            news += isNews ? 1 : 0
            absence.refused(as: nil)
        }
        #expect(news == 3)
    }

    @Test("was stored without names by earlier versions of Trendy")
    func stored() throws {
        let json: JSONValue = [
            "since": "2026-03-16T12:00:00.000Z", "latest": "2026-03-16T12:00:00.000Z", "seen": 5,
        ]
        let absence = try WireCoding.decode(ExchangeAbsence.self, from: WireCoding.encode(json))
        #expect(absence.seen == 5 && absence.products == nil && absence.news == nil)
    }

    @Test("for days costs no full fetch when it is over: the device goes on in the exchange from where it was")
    func goesOn() async throws {
        let (event, gone) = try await leaveExchange()
        // What others do meanwhile.
        try device.server.change(.event, event.id, ["location_name": "there"])
        try device.server.delete(.event, gone.id)
        try await device.edit(event.id) { $0.notes = "edited meanwhile" }
        await network.always(nil, for: .exchange)
        await network.always(.fail(APIError.connection("gone")), for: .update)
        await device.sync()
        await network.always(nil, for: .update)
        device.wallClock.advance(bySeconds: 86_400)
        let before = device.server.requests.count
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(device.server.requests.dropFirst(before).allSatisfy { $0.cursor != nil })
        #expect(try routes() == ServerRoutes(isExchange: true))
        let there = try #require(try device.server.event(event.id))
        #expect(there.notes == "edited meanwhile" && there.locationName == "there")
        #expect(try device.all(Event.self) == [there])
        // The revisions of the older routes are not compared with those of the exchange.
        let records = try device.store().fetch(Event.self, where: nil)
        #expect(records.allSatisfy { $0.revision >= 0 })
        #expect(try device.store().fetch(EventType.self, where: nil).map(\.revision) == [0])
    }

    @Test("ends with what the older routes have refused for its time")
    func refusedTime() async throws {
        await refuseExchange()
        await device.sync()
        network.clockReading = ClockReading(lead: 3_600, doubt: 0.5)
        let problem = ProblemDetails(type: "urn:trendy:error:future_timestamp", status: 422)
        await network.always(.fail(APIError.http(status: 422, problem: problem)), for: .create)
        try await device.engine.create(device.coffee)
        #expect(await device.sync().early == 1)
        await network.always(nil, for: .exchange)
        device.wallClock.advance(bySeconds: 60)
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0)
        #expect(try device.engine.routes()?.isExchange == true)
        #expect(device.server.records(of: .eventType).count == 1)
    }

    @Test("does not become for good by a full fetch, and what others have deleted is not taken for lost")
    func fullMeanwhile() async throws {
        let gone = try await device.syncedCoffee(notes: "gone")
        try device.server.delete(.event, gone.id)
        try await mirror()
        await refuseExchange()
        await device.sync()
        for _ in 0..<3 {
            #expect(await device.engine.forceFullResync().failure == .notAServer)
            #expect(try routes()?.isExchange == true && device.open().isEmpty)
        }
        await device.heal()
        #expect(await device.sync().failure == nil)
        #expect(try device.event(gone.id) == nil && device.open().isEmpty)
    }

    @Test("counts once in a cycle, however often it is met")
    func oncePerCycle() async throws {
        let event = try await device.syncedCoffee()
        try await mirror()
        await refuseExchange()
        for cycle in 1...3 {
            // A full fetch asks to prove the history, and again to begin.
            await device.engine.forceFullResync()
            let absence = try #require(try device.store().exchangeAbsence())
            #expect(absence.seen == Double(cycle - 1) * 3_600)
            device.wallClock.advance(bySeconds: 3_600)
        }
        #expect(try device.event(event.id) == event)
    }

    @Test("does not last where nobody has looked in between, or a clock has jumped", arguments: [3.0, 400.0])
    func unseen(days: Double) async throws {
        _ = try await device.syncedCoffee()
        try await mirror()
        await refuseExchange()
        await device.sync()
        device.wallClock.advance(bySeconds: days * 86_400)
        for _ in 0..<5 {
            #expect(await device.sync().failure == .notAServer)
            device.wallClock.advance(bySeconds: 600)
        }
        #expect(try routes()?.isExchange == true)
    }

    @Test("for days leaves what others have deleted deleted, where a person asks for everything when it is over")
    func fullAfterwards() async throws {
        let (event, gone) = try await leaveExchange()
        try device.server.change(.event, event.id, ["notes": "theirs"])
        try device.server.delete(.event, gone.id)
        await network.always(nil, for: .exchange)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil && report.parked == 0 && report.conflicts == 0)
        #expect(try device.all(Event.self).map(\.notes) == ["theirs"])
        await device.sync()
        #expect(try routes() == ServerRoutes(isExchange: true))
    }

    @Test("is no reason to leave the exchange where the older routes are missing too, however long")
    func everythingMissing() async throws {
        let event = try await device.syncedCoffee()
        for operation in MockOperation.allCases { await network.always(.fail(refusal(404)), for: operation) }
        for _ in 0..<10 {
            #expect(await device.sync().failure != nil)
            device.wallClock.advance(bySeconds: 86_400)
        }
        #expect(try device.event(event.id) == event && device.open().isEmpty)
        await device.heal()
        #expect(await device.sync().failure == nil)
        #expect(try routes() == ServerRoutes(isExchange: true))
    }
}
