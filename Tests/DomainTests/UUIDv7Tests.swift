import Testing
import TrendyDomain
import TrendyTestSupport

/// Randomness that is all ones, all zeros, or whatever a test says.
private struct FixedRandom: RandomSource {
    let value: UInt64
    func next() -> UInt64 { value }
}

@Suite("UUIDs of version 7")
struct UUIDv7Tests {
    @Test("time, version and variant stand where RFC 9562 has them", arguments: [0, UInt64.max])
    func bits(_ random: UInt64) {
        let clock = ManualWallClock(Timestamp(milliseconds: 0x0123_4567_89AB))
        let id = UUIDv7Generator(clock: clock, random: FixedRandom(value: random)).next()
        #expect(id.high >> 16 == 0x0123_4567_89AB)
        #expect(id.high >> 12 & 0xF == 7)
        #expect(id.low >> 62 == 0b10)
        #expect(id.description.hasPrefix("01234567-89ab-7"))
        #expect(id.timestamp == clock.now())
    }

    @Test("ids grow within one millisecond and while the clock runs back a little", arguments: 1...20)
    func monotonic(_ seed: UInt64) {
        let clock = ManualWallClock()
        let random = SeededRandomSource(seed: seed)
        let generator = UUIDv7Generator(clock: clock, random: random)
        var last = generator.makeId()
        var seen: Set<String> = [last]
        for _ in 0..<2_000 {
            clock.set(ManualWallClock.defaultStart.advanced(byMilliseconds: Int64(random.next() % 5_000)))
            let id = generator.makeId()
            #expect(id > last)
            #expect(seen.insert(id).inserted)
            last = id
        }
    }

    @Test("a counter that is full goes on in the next millisecond")
    func counterOverflow() {
        let clock = ManualWallClock()
        let generator = UUIDv7Generator(clock: clock, random: FixedRandom(value: .max))
        var last = generator.next()
        for _ in 0..<200_000_0 / 10 {
            let id = generator.next()
            if id.description <= last.description { Issue.record("\(id) after \(last)") }
            last = id
        }
    }

    @Test("a clock that jumps far back is believed")
    func bigJump() {
        let clock = ManualWallClock()
        let generator = UUIDv7Generator.seeded(1, clock: clock)
        _ = generator.next()
        clock.advance(bySeconds: -3_600)
        #expect(generator.next().timestamp == clock.now())
    }

    @Test("a clock before 1970 gives valid ids")
    func beforeEpoch() {
        let generator = UUIDv7Generator.seeded(1, clock: ManualWallClock(.earliest))
        #expect(UUIDv7(generator.makeId())?.timestamp == Timestamp(milliseconds: 0))
    }

    @Test("the text is read in either case, and comes back in lower case")
    func parsing() {
        let text = "019b76da-a800-7abc-bdef-0123456789ab"
        #expect(UUIDv7(text)?.description == text)
        #expect(UUIDv7(text.uppercased())?.description == text)
        let generator = UUIDv7Generator.seeded(3)
        for _ in 0..<1_000 {
            let id = generator.next()
            #expect(UUIDv7(id.description) == id)
        }
    }

    @Test(
        "another version, variant or shape is nil",
        arguments: [
            "", "019b76da-a800-4abc-bdef-0123456789ab", "019b76da-a800-7abc-cdef-0123456789ab",
            "019b76da-a800-7abc-7def-0123456789ab", "019b76daa8007abcbdef0123456789ab",
            "019b76da-a800-7abc-bdef-0123456789a", "019b76da-a800-7abc-bdef-0123456789abc",
            "019b76da-a800-7abc-bdef-0123456789ag", "019b76da_a800-7abc-bdef-0123456789ab",
            "{019b76da-a800-7abc-bdef-0123456789}", "00000000-0000-0000-0000-000000000000",
        ])
    func refusing(_ text: String) {
        #expect(UUIDv7(text) == nil)
    }

    @Test("the generators of the test kit make valid ids that differ")
    func testKit() {
        let (a, b) = (SequentialIdentifiers(series: 1), SequentialIdentifiers(series: 2))
        let ids = (0..<100).flatMap { _ in [a.makeId(), b.makeId()] }
        #expect(Set(ids).count == 200)
        #expect(ids.allSatisfy { UUIDv7($0) != nil })
        #expect(SequentialIdentifiers().makeId() == "019b76da-a800-7000-8000-000000000001")
        #expect(testId(1) == "019b76da-a800-7000-8000-000000000001")
    }
}
