import TrendyDomain

extension ExchangeContract {
    private static func event(_ number: UInt64, notes: String? = nil) -> Event {
        makeEvent(id: testId(number), notes: notes)
    }

    private static func makeMany(_ numbers: ClosedRange<UInt64>, by peer: ExchangePeer) async throws {
        try await peer.sync(numbers.map { try peer.create(event($0)) })
    }

    static let runChecks = [
        Check("a server that is started again and again goes on with every device, whatever that has read") { scene in
            guard let restart = scene.subject.restart else { return }
            let (a, b) = (scene.a, scene.b)
            try await b.catchUp()
            let reader = ExchangePeer(named: "reader", exchange: scene.subject.exchange)
            for number in UInt64(2)...5 {
                try await restart()
                // Nothing is written in this run: who reads keeps a cursor of the run before.
                try await reader.catchUp()
                try await restart()
                try await a.send(a.create(event(number)))
            }
            try expectEqual(try await b.sync().changes.map(\.entityId), (2...5).map(testId), "changes over five runs")
            try expectEqual(try await reader.sync().changes.map(\.entityId), [testId(5)], "changes of the last run")
        },
        Check("a device that knows what the server has lost is told, however far the server has gone on") { scene in
            guard let copyData = scene.subject.copyData else { return }
            for written in [0, 1, 2, 3, 9] as [UInt64] {
                let (a, b) = (peer("a\(written)", scene), peer("b\(written)", scene))
                try await a.catchUp()
                try await b.catchUp()
                let first = 100 * (written + 1)
                let putBack = try await copyData()
                try await makeMany(first...(first + 2), by: a)
                try await putBack()
                if written > 0 { try await makeMany((first + 50)...(first + 49 + written), by: b) }
                let lost = try a.create(event(first + 99))
                try await expectRefusal(409, "epoch_changed", "\(written) changes after the loss") {
                    try await a.sync([lost])
                }
                let epoch = a.epoch
                try expectEqual(try await b.sync().changes, [], "changes for who has lost nothing")
                a.forgetPlace()
                try await a.catchUp()
                try expect(a.epoch != epoch, "the history still has its former name")
                try expect(try await scene.contents()[testId(first + 99)] == nil, "a refused request was carried out")
            }
        },
        Check("a device that has read only what was there before the loss goes on, in the middle of a snapshot too") {
            scene in
            guard let copyData = scene.subject.copyData else { return }
            let (a, b) = (scene.a, scene.b)
            try await makeMany(2...9, by: a)
            let (early, late) = (peer("early", scene), peer("late", scene))
            let first = try await early.sync(limit: 3).changes
            let putBack = try await copyData()
            try await makeMany(20...22, by: a)
            try await late.sync(limit: 3)
            try await putBack()
            try await b.catchUp()
            try await makeMany(30...39, by: b)
            let rest = try await early.catchUp(limit: 3)
            try expectEqual(
                Set((first + rest).map(\.entityId)), Set(try await scene.contents().keys), "records of a snapshot")
            try await expectRefusal(409, "epoch_changed", "a snapshot that was begun in what is lost") {
                try await late.sync(limit: 3)
            }
        },
        Check("what a result has told is proven too, where the changes of its answer end before it") { scene in
            guard let copyData = scene.subject.copyData else { return }
            let (a, b) = (scene.a, scene.b)
            try await b.catchUp()
            try await makeMany(2...6, by: a)
            let putBack = try await copyData()
            let update = b.update(.eventType, testId(1), base: 1, ["name": "tea"])
            let answer = try await b.sync([update], limit: 1)
            try expect(answer.more && answer.results.map(\.outcome) == [.accepted], "\(answer)")
            try await putBack()
            try await a.forgetAndCatchUp()
            try await makeMany(20...25, by: a)
            try await expectRefusal(409, "epoch_changed", "a result that is lost") { try await b.sync(limit: 1) }
        },
        Check("two copies of a server that both run are told apart by a device that changes from one to the other") {
            scene in
            guard let copyData = scene.subject.copyData else { return }
            let a = scene.a
            try await a.catchUp()
            let other = try await copyData()
            try await makeMany(2...4, by: a)
            let here = try await copyData()
            try await other()
            let b = peer("b", scene)
            try await b.catchUp()
            try await makeMany(10...14, by: b)
            try await expectRefusal(409, "epoch_changed", "the other copy") { try await a.sync() }
            a.forgetPlace()
            try await a.catchUp()
            try await here()
            try await expectRefusal(409, "epoch_changed", "the first copy again") { try await a.sync() }
        },
    ]

    private static func peer(_ name: String, _ scene: Scene) -> ExchangePeer {
        ExchangePeer(named: name, exchange: scene.subject.exchange)
    }
}

extension ExchangePeer {
    fileprivate func forgetAndCatchUp() async throws {
        forgetPlace()
        try await catchUp()
    }
}
