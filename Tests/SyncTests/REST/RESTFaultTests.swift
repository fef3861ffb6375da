import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A fault on the way of the REST gateway")
struct RESTFaultTests {
    private let peer = RESTPeer()
    private var network: MockNetworkClient { peer.network }

    private func start(_ count: Int = 3) async throws -> [Event] {
        let events = try await network.seed(events: count)
        try await peer.catchUp()
        peer.tick()
        return events
    }

    @Test("does not bring back what arrived, and was deleted by another device since")
    func deletedSince() async throws {
        _ = try await start()
        let event = makeEvent(notes: "mine")
        let creation = try peer.create(event)
        await network.enqueue(.serveThenFail(APIError.timeout), for: .create)
        await network.enqueue(.fail(APIError.timeout), for: .get)
        _ = try? await peer.exchange([creation])
        try await network.remove(Event.self, id: event.id)
        _ = try? await peer.exchange()
        let response = try await peer.exchange([creation], unanswered: [creation.key])
        #expect(response.outcomes == [.deleted])
        #expect(try await network.record(Event.self, id: event.id) == nil)
    }

    @Test("does not hide that another device has changed the record since the edit arrived")
    func changedSince() async throws {
        let id = try await start()[0].id
        let edit = peer.update(id, ["notes": "mine"])
        await network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        await network.enqueue(.fail(APIError.timeout), for: .get)
        _ = try? await peer.exchange([edit])
        // The failure is told with the next exchange.
        _ = try? await peer.exchange()
        try await network.edit(Event.self, id: id) { $0.isAllDay = true }
        let response = try await peer.exchange([edit], unanswered: [edit.key])
        let result = try #require(response.results.first)
        #expect(result.outcome == .accepted && result.record?.objectValue?["is_all_day"] != true)
        let change = try #require(response.changes.last { $0.entityId == id })
        #expect(change.revision > result.revision && change.record?.objectValue?["is_all_day"] == true)
        #expect(peer.value("notes", of: id) == "mine" && peer.value("is_all_day", of: id) == true)
        #expect(await network.callCount(.update) == 1)
    }

    @Test("does not put back what arrived and others have changed since, as the feed shows", arguments: [false, true])
    func overwrittenSince(isCreate: Bool) async throws {
        let event = makeEvent(notes: "mine")
        let id = isCreate ? event.id : try await start()[0].id
        if isCreate { _ = try await start() }
        let mutation = isCreate ? try peer.create(event) : peer.update(id, ["notes": "mine"])
        await network.enqueue(.serveThenFail(APIError.timeout), for: isCreate ? .create : .update)
        await network.enqueue(.fail(APIError.timeout), for: .get)
        _ = try? await peer.exchange([mutation])
        peer.tick()
        try await network.edit(Event.self, id: id) { $0.notes = "theirs" }
        peer.restart()
        let response = try await peer.exchange([mutation], unanswered: [mutation.key])
        #expect(response.outcomes == [.accepted] && !response.more)
        #expect(peer.value("notes", of: id) == "theirs")
        #expect(await network.callCount(isCreate ? .create : .update) == 1)
    }

    @Test("after the feed was read does not have an edit sent again that the feed shows to have arrived")
    func endAfterFeed() async throws {
        let events = try await start()
        let (arrived, other) = (peer.update(events[0].id, ["notes": "mine"]), peer.update(events[1].id, ["notes": "x"]))
        await network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        await network.enqueue(.fail(APIError.timeout), for: .get)
        _ = try? await peer.exchange([arrived])
        peer.tick()
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "theirs" }
        peer.restart()
        await network.enqueue(.fail(APIError.timeout), for: .update)
        await network.always(.fail(APIError.timeout), for: .get)
        let first = try await peer.exchange([arrived, other], unanswered: [arrived.key])
        #expect(first.results.map(\.key) == [arrived.key] && first.outcomes == [.accepted])
        await network.always(nil, for: .get)
        #expect(peer.value("notes", of: events[0].id) == "theirs")
        let sent = await network.calls.filter { $0.operation == .update && $0.entityIds == [events[0].id] }
        #expect(sent.count == 1)
    }

    @Test("in the feed does not have an edit sent again that the feed has shown to have arrived")
    func endOfFeed() async throws {
        let events = try await start()
        let arrived = peer.update(events[0].id, ["notes": "mine"])
        await network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        await network.enqueue(.fail(APIError.timeout), for: .get)
        _ = try? await peer.exchange([arrived])
        peer.tick()
        try await network.edit(Event.self, id: events[0].id) { $0.notes = "theirs" }
        // An entry that has to be looked up.
        await network.appendChange(entityType: .event, operation: .update, entityId: events[2].id, data: ["id": 1])
        await network.always(.fail(APIError.timeout), for: .get)
        peer.restart()
        let response = try await peer.exchange([arrived], unanswered: [arrived.key])
        #expect(response.outcomes == [.accepted] && response.more)
        #expect(await network.callCount(.update) == 1)
        #expect(peer.value("notes", of: events[0].id) == "theirs")
    }

    @Test("that comes with a wish for time, of one record alone, holds back no other")
    func wishForTimeOfOne() async throws {
        let events = try await start()
        let busy = busy
        await network.beforeEachCall { call in
            if call.operation == .update, call.entityIds == [events[0].id] { throw busy }
        }
        let response = try await peer.exchange(events.map { peer.update($0.id, ["notes": "x"]) })
        #expect(response.outcomes == [.accepted, .accepted] && response.failures.count == 1)
    }

    private let busy: APIError = {
        var problem = ProblemDetails(status: 503)
        problem.retryAfter = 600
        return .http(status: 503, problem: problem)
    }()

    @Test("that comes with a wish for time ends the exchange with that wish")
    func wishForTime() async throws {
        let events = try await start()
        for operation in MockOperation.allCases { await network.always(.fail(busy), for: operation) }
        let before = await network.calls.count
        await #expect(throws: busy) { try await peer.exchange(events.map { peer.update($0.id, ["notes": "x"]) }) }
        // One smaller request tells whether the size was the reason.
        #expect(await network.calls.count - before == 2)
    }

    @Test("of the server on everything ends the sending soon, and the changes come all the same")
    func outage() async throws {
        let events = try await start(70)
        let theirs = try await network.put(makeEvent(notes: "theirs"))
        await network.always(.fail(RESTPeer.serverError), for: .update)
        let before = await network.callCount(.update)
        let response = try await peer.exchange(events.map { peer.update($0.id, ["notes": "x"]) })
        #expect(response.results.isEmpty && response.changes.map(\.entityId) == [theirs.id])
        #expect(await network.callCount(.update) - before == 60)
        // Then the cycle ends, and nobody is blamed.
        #expect(response.more)
        await #expect(throws: APIError.connection("it fails on one change after the other")) {
            try await peer.exchange()
        }
    }

    @Test("of the server on reading too ends the sending at once")
    func wholeOutage() async throws {
        let events = try await start(20)
        await network.always(.fail(RESTPeer.serverError), for: .update)
        await network.always(.fail(RESTPeer.serverError), for: .getLatestCursor)
        let before = await network.callCount(.update)
        #expect(try await peer.exchange(events.map { peer.update($0.id, ["notes": "x"]) }).results.isEmpty)
        #expect(await network.callCount(.update) - before == 5)
    }

    @Test("of the server on every write is told of each change, and decides about none")
    func writesFail() async throws {
        let events = try await start(10)
        for operation in [MockOperation.create, .createBatch, .update, .delete] {
            await network.always(.fail(RESTPeer.refusal(503, "the disk is full")), for: operation)
        }
        let edits = events.prefix(6).map { peer.update($0.id, ["notes": "x"]) }
        let deletions = events.suffix(4).map { peer.delete($0.id) }
        let creations = try (0..<5).map { try peer.create(makeEvent(notes: "\($0)")) }
        let keys = Set((edits + deletions + creations).map(\.key))
        let sent: [Set<String>] = [[], keys, keys]
        for unanswered in sent {
            peer.restart()
            let response = try await peer.exchange(edits + deletions + creations, unanswered: unanswered)
            #expect(response.results.isEmpty && !response.more && keys.isSuperset(of: response.failures.keys))
            // What has failed before costs more requests, so only some of that is tried again.
            #expect(response.failures.count == (unanswered.isEmpty ? keys.count : 10))
        }
    }

    @Test("on many records in a row keeps no other from going in the same sync", arguments: [7, 40, 59])
    func manyBad(count: Int) async throws {
        let events = try await start(count + 3)
        let bad = Set(events.prefix(count).map(\.id))
        await network.beforeEachCall { call in
            if call.operation == .update, !bad.isDisjoint(with: call.entityIds) { throw RESTPeer.serverError }
        }
        let edits = events.map { peer.update($0.id, ["notes": "x"]) }
        let before = await network.callCount(.update)
        let response = try await peer.exchange(edits)
        #expect(response.results.map(\.key) == edits.suffix(3).map(\.key) && !response.more)
        #expect(await network.callCount(.update) - before == edits.count)
    }

    @Test("in the middle is told at the next exchange, without a request, and what was done counts")
    func rateLimit() async throws {
        let events = try await start()
        await network.enqueue(.serve, for: .update)
        await network.enqueue(.fail(APIError.rateLimited(retryAfter: 60)), for: .update)
        let response = try await peer.exchange(events.map { peer.update($0.id, ["notes": "x"]) })
        #expect(response.outcomes == [.accepted] && response.more)
        let count = await network.calls.count
        await #expect(throws: CycleStop.self) { try await peer.exchange() }
        #expect(await network.calls.count == count)
        #expect(try await peer.exchange().changes.isEmpty)
    }

    @Test(
        "at the beginning is thrown at once",
        arguments: [
            APIError.rateLimited(retryAfter: nil), .unauthorized("no"), .notSent("no"),
        ])
    func first(error: APIError) async throws {
        let events = try await start()
        await network.enqueue(.fail(error), for: .getChanges)
        await #expect(throws: error) { try await peer.exchange([peer.delete(events[0].id)]) }
        #expect(await network.callCount(.delete) == 0)
    }

    @Test("by which a proxy answers 404 for everything is no deletion", arguments: [true, false])
    func lostAPI(fromTheBeginning: Bool) async throws {
        let events = try await start()
        let mutations = [peer.update(events[0].id, ["notes": "x"]), peer.delete(events[1].id)]
        // An entry that has to be looked up.
        await network.appendChange(entityType: .event, operation: .update, entityId: events[2].id, data: ["id": 1])
        for operation in MockOperation.allCases where fromTheBeginning || operation != .getChanges {
            await network.always(operation == .get ? .respond(.null) : .fail(RESTPeer.refusal(404)), for: operation)
        }
        await #expect(throws: APIError.self) { try await peer.exchange(mutations) }
        #expect(peer.ids(.event) == Set(events.map(\.id)))
        await network.always(nil)
        #expect(try await peer.exchange(mutations).outcomes == [.accepted, .accepted])
    }

    @Test("by which a proxy answers 404 for all records of a kind is no deletion, while the feed answers")
    func lostKind() async throws {
        let events = try await start()
        let mutations = [peer.update(events[0].id, ["notes": "x"]), peer.delete(events[1].id)]
        for operation in [MockOperation.update, .delete, .list] {
            await network.always(.fail(RESTPeer.refusal(404)), for: operation)
        }
        await network.always(.respond(.null), for: .get)
        #expect(try await peer.exchange(mutations).results.isEmpty)
        #expect(peer.ids(.event) == Set(events.map(\.id)))
        await network.always(nil)
        #expect(try await peer.exchange(mutations).outcomes == [.accepted, .accepted])
    }

    @Test("by which a proxy has lost the routes of one kind holds up no other", arguments: [404, 500])
    func otherKind(status: Int) async throws {
        let event = try await start()[0]
        for operation in [MockOperation.create, .list] {
            await network.always(.fail(RESTPeer.refusal(status)), for: operation)
        }
        let mutations = [try peer.create(makeEventType(name: "tea")), peer.update(event.id, ["notes": "x"])]
        #expect(try await peer.exchange(mutations).results.map(\.key) == [mutations[1].key])
        await network.always(nil)
        #expect(try await peer.exchange([mutations[0]]).outcomes == [.accepted])
    }

    @Test("by which a proxy finds no single record of a kind is no deletion, while it lists them")
    func lostItems() async throws {
        let events = try await start()
        for operation in [MockOperation.update, .delete] {
            await network.always(.fail(RESTPeer.refusal(404)), for: operation)
        }
        await network.always(.respond(.null), for: .get)
        let mutations = [peer.update(events[0].id, ["notes": "x"]), peer.delete(events[1].id)]
        #expect(try await peer.exchange(mutations).results.isEmpty)
        #expect(peer.ids(.event) == Set(events.map(\.id)))
    }

    @Test("of the feed alone holds back nothing that is sent", arguments: [500, 400])
    func feed(status: Int) async throws {
        let events = try await start()
        await network.always(.fail(RESTPeer.refusal(status)), for: .getChanges)
        try await network.edit(Event.self, id: events[1].id) { $0.notes = "theirs" }
        let mutations = [peer.update(events[0].id, ["notes": "x"]), peer.update(events[1].id, ["notes": "y"])]
        let response = try await peer.exchange(mutations)
        #expect(response.outcomes == [.accepted, .stale] && response.more)
        await #expect(throws: RESTPeer.refusal(status)) { try await peer.exchange() }
        await #expect(throws: RESTPeer.refusal(status)) { try await peer.exchange() }
    }

    @Test("of a server that chokes on one record holds up no other, also in another process")
    func choking() async throws {
        let events = try await start()
        let bad = events[0].id
        await network.beforeEachCall { call in
            if call.operation == .update, call.entityIds == [bad] { throw APIError.timeout }
        }
        let mutations = events.map { peer.update($0.id, ["notes": "x"]) }
        let response = try await peer.exchange(mutations)
        #expect(response.results.map(\.key) == mutations.dropFirst().map(\.key) && !response.more)
        #expect(response.failures == [mutations[0].key: .timeout])
        peer.restart()
        let more = peer.update(events[1].id, ["notes": "y"])
        let second = try await peer.exchange([mutations[0], more], unanswered: [mutations[0].key])
        #expect(second.results.map(\.key) == [more.key])
        #expect(await network.calls(.update).last?.entityIds == [bad])
    }

    // MARK: On the way

    @Test("that something on the way finds with one record keeps no other from going", arguments: RESTPeer.errorsOfWay)
    func firewall(error: APIError) async throws {
        _ = try await start()
        let events = (0..<6).map { makeEvent(notes: $0 == 2 ? "<script>" : "\($0)") }
        let bad = events[2].id
        await network.beforeEachCall { call in
            if [.create, .createBatch].contains(call.operation), call.entityIds.contains(bad) { throw error }
        }
        let mutations = try events.map { try peer.create($0) }
        let response = try await peer.exchange(mutations)
        let others = mutations.indices.filter { $0 != 2 }.map { mutations[$0].key }
        #expect(response.results.map(\.key) == others && !response.more)
        #expect(response.failures == [mutations[2].key: error])
        // It waits, and goes last.
        let later = try peer.create(makeEvent(notes: "later"))
        let second = try await peer.exchange([mutations[2], later], unanswered: [mutations[2].key])
        #expect(second.results.map(\.key) == [later.key])
        #expect(await network.calls(.create).last?.entityIds == [bad])
        await network.beforeEachCall(nil)
        #expect(try await peer.exchange([mutations[2]], unanswered: [mutations[2].key]).outcomes == [.accepted])
    }

    @Test(
        "of the way on every write ends the sending soon, and what was not sent is not taken for sent",
        arguments: [
            (APIError.timeout, 15), (.connection("reset"), 60), (.notAServer("it answered 403 with a web page"), 60),
        ])
    func blockedWay(error: APIError, limit: Int) async throws {
        let events = try await start(70)
        await network.always(.fail(error), for: .update)
        let edits = events.map { peer.update($0.id, ["notes": "x"]) }
        let response = try await peer.exchange(edits)
        // Each of them can be told why it waits.
        #expect(
            response.results.isEmpty && response.more
                && Set(response.failures.keys) == Set(edits.prefix(limit).map(\.key)))
        #expect(await network.callCount(.update) == limit)
        #expect(peer.untouched == Set(edits.dropFirst(limit).map(\.key)))
        // The next request of the cycle ends it with the reason.
        await #expect(throws: APIError.self) { try await peer.exchange(edits) }
        #expect(await network.callCount(.update) == limit)
        await network.always(nil, for: .update)
        peer.restart()
        let sent = Set(edits.prefix(limit).map(\.key))
        #expect(try await peer.exchange(edits, unanswered: sent).results.count == edits.count)
    }

    @Test("of the server on the same records in each sync costs few requests, and each of them gets its turn")
    func repeatedFailures() async throws {
        _ = try await start()
        let types = (0..<30).map { makeEventType(id: testId(UInt64(1_000 + $0)), name: "\($0)") }
        let events = types.map { makeEvent(eventTypeId: $0.id) }
        let mutations = try types.map { try peer.create($0) } + events.map { try peer.create($0) }
        await network.always(.fail(RESTPeer.serverError), for: .create)
        _ = try await peer.exchange(mutations)
        for _ in 0..<3 {
            peer.restart()
            let before = await network.calls.count
            let response = try await peer.exchange(mutations, unanswered: Set(mutations.map(\.key)))
            #expect(response.failures.count == 10 && response.results.isEmpty && !response.more)
            // What belongs to them waits too, and no other request of the cycle tries more of them.
            #expect(try await peer.exchange(mutations).results.isEmpty)
            #expect(await network.calls.count - before < 70)
        }
        #expect(Set(await network.calls(.create).dropFirst(30).flatMap(\.entityIds)) == Set(types.map(\.id)))
    }

    @Test("after which nothing answers ends the sending, and its record goes last from then on")
    func crash() async throws {
        let events = try await start()
        await network.enqueue(.fail(APIError.connection("reset")), for: .update)
        await network.enqueue(.fail(APIError.notSent("refused")), for: .get)
        let edits = events.map { peer.update($0.id, ["notes": "x"]) }
        #expect(try await peer.exchange(edits).results.isEmpty)
        #expect(await network.callCount(.update) == 1)
        #expect(peer.untouched == Set(edits.dropFirst().map(\.key)))
        peer.restart()
        #expect(try await peer.exchange(edits, unanswered: [edits[0].key]).results.count == edits.count)
        #expect(await network.calls(.update).last?.entityIds == [events[0].id])
    }
}
