import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTestSupport

@testable import TrendyApp
@testable import TrendyTerminal

@MainActor
@Suite("Names and aliases of types")
struct TypeNameTests {
    private let shell: TestShell

    init() async throws {
        shell = try TestShell()
        for type in ["coffee", "tea"] { _ = try await shell.json("type", "add", type) }
        _ = try await shell.json("type", "edit", "tea", "--alias", "c")
    }

    @Test("the list has aliases and the number of events for programs too, and properties their defaults")
    func lists() async throws {
        _ = try await shell.json("log", "tea")
        let types = try await shell.json("type", "list").array
        #expect(types.map { $0["name"] } == ["coffee", "tea"])
        #expect(types.map { $0["aliases"] } == [[], ["c"]] && types.map { $0["event_count"] } == [0, 1])
        _ = try await shell.json("prop", "add", "tea", "time", "--kind", "duration", "--default", "1h30m")
        let lines = try await shell.output("prop", "list", "tea").split(separator: "\n")
        #expect(lines.first?.contains("DEFAULT") == true && lines.last?.contains("1h 30m") == true, "\(lines)")
    }

    @Test("the lists of types and properties, and the status, fit a terminal; elsewhere nothing is cut")
    func narrow() async throws {
        let name = String(repeating: "日本", count: 20)
        let type = try await shell.json("type", "add", name)
        let id = ShortId.of(try #require(type["id"]?.stringValue))
        _ = try await shell.json("prop", "add", name, "key", "--kind", "text", "--label", name)
        _ = try await shell.output("start", name)
        let commands = [["type", "list"], ["prop", "list"], ["status"]]
        for command in commands { #expect(try await shell.output(command).contains(name), "\(command)") }
        shell.environment["NO_COLOR"] = "1"
        for columns in [30, 60, 100] {
            shell.terminal = TerminalSize(columns: columns, rows: 24)
            for command in commands {
                // The path of the store is to be copied, so that it stays in one piece.
                let lines = try await shell.output(command).split(separator: "\n").filter { !$0.hasPrefix("store") }
                #expect(lines.allSatisfy { $0.columns <= columns }, "\(command): \(lines)")
            }
            #expect(try await shell.output("type", "list").contains("\n\(id)  日"))
            let status = try await shell.output("status").filter { !$0.isWhitespace }
            #expect(status.contains("running\(name)since2026-03-10"), "\(status)")
        }
    }

    @Test("on a narrow screen the lists leave out what matters less, and cut no name")
    func leavingOut() async throws {
        shell.environment["COLUMNS"] = "40"
        _ = try await shell.json("type", "add", "afternoon tea")
        _ = try await shell.json("prop", "add", "coffee", "size", "--kind", "number")
        let types = try await shell.output("type", "list").split(separator: "\n")
        #expect(types.first == "ID        NAME           ALIAS  EVENTS" && types[1].contains("  afternoon tea  "))
        let properties = try await shell.output("prop", "list").split(separator: "\n")
        #expect(properties.first == "ID        TYPE    KEY   KIND    LABEL", "\(properties)")
    }

    @Test(
        "an alias that means something else is refused, with what it means",
        arguments: [
            ("c", "alias of the type 'tea'; remove it with 'trendy type edit tea --clear-alias c'"),
            ("Tea", "name of the type 'tea'"), ("coffee", "is already the name of the type"),
            ("list", "'list' is a command, so 'trendy list' would not log coffee"), ("Help", "command"),
        ])
    func refused(alias: String, reason: String) async throws {
        let answer = try await shell.run("type", "edit", "coffee", "--alias", alias)
        #expect(answer.status == 65 && answer.errors.contains(reason), "\(answer.errors)")
        #expect(try await shell.json("type", "edit", "tea", "--clear-alias", "c")["name"] == "tea")
    }

    @Test("the line says which aliases there are from now on, and which are no more")
    func told() async throws {
        for (words, line) in [
            (["coffee", "--alias", "k", "--alias", "Espresso"], "changed type coffee (ID); alias espresso, k"),
            (["coffee", "--alias", "k"], "type coffee did not change (ID)"),
            (["coffee", "--clear-alias", "k", "--alias", "j"], "changed type coffee (ID); alias j; removed alias k"),
            (["coffee", "--name", "latte", "--alias", "coffee"], "changed type coffee to latte (ID); alias coffee"),
        ] {
            let answer = try await shell.run(["type", "edit"] + words)
            #expect(answer.output.replacing(/\([0-9a-f]{8}\)/, with: "(ID)") == line + "\n", "\(answer.errors)")
        }
    }

    @Test(
        "a name in another spelling is the same name: it is refused for another type, and finds the one that there is",
        arguments: [
            ("Café", "CAFE\u{301}"), ("Straße", "STRASSE"), ("ｔｅａ time", "tea\u{A0}time"),
            ("커피", "커피".decomposedStringWithCanonicalMapping),
            ("ear\u{AD}ache", "EARACHE\u{200B}"),
        ])
    func spellings(_ first: String, _ second: String) async throws {
        let type = try await shell.json("type", "add", first)
        let refused = try await shell.run("type", "add", second)
        #expect(refused.status == 65 && refused.errors.contains("'\(first)' exists already"), "\(refused.errors)")
        #expect(try await shell.json("log", second)["event_type_id"] == type["id"])
        #expect(try await shell.json("list", "type:\"\(second)\"").array.count == 1)
        let same = try await shell.json("type", "edit", first, "--name", second)
        #expect(same["name"]?.stringValue == Names.plain(second))
        _ = try await shell.json("place", "add", first, "--lat", "1", "--lon", "2")
        #expect(try await shell.run("place", "add", second, "--lat", "1", "--lon", "2").status == 65)
        _ = try await shell.json("prop", "add", "coffee", "größe", "--kind", "number")
        #expect(try await shell.run("prop", "add", "coffee", "GRO\u{308}SSE", "--kind", "number").status == 65)
        #expect(try await shell.json("log", "coffee", "GRÖSSE=2")["properties"]?["größe"]?["value"] == 2)
    }

    @Test("a name without anything to see is refused")
    func unseen() async throws {
        let refused = try await shell.run("type", "add", "\u{200B}\u{AD}")
        #expect(refused.status == 65 && refused.errors.contains("no character that can be seen"), "\(refused.errors)")
    }

    @Test("of two types of one name, of which one is still to be sent, the doctor says that they become one")
    func unsentDouble() async throws {
        _ = try await shell.json("type", "add", "Yoga")
        let store = try shell.stores.makeDataStore()
        try store.upsert(LocalRecord(EventType(id: SequentialIdentifiers.id(2), name: "yoga")))
        try store.save()
        let checks = try #require(try await shell.run("doctor", "--json").json()["checks"]).array
        let finding = try #require(checks.first { $0["check"] == "names" })
        #expect(finding["remedy"] == "trendy sync: they become one where the server has the name")
    }

    @Test("of two types of one name the spelling chooses, a filter means both, and the doctor says how to join them")
    func doubles() async throws {
        let store = try shell.stores.makeDataStore()
        for (number, name) in zip(UInt64(1)..., ["Yoga", "yoga"]) {
            try store.upsert(LocalRecord(EventType(id: SequentialIdentifiers.id(number), name: name)))
        }
        try store.save()
        #expect(try await shell.json("log", "yoga")["event_type_id"]?.stringValue == SequentialIdentifiers.id(2))
        _ = try await shell.json("log", "Yoga")
        let ambiguous = try await shell.run("log", "YOGA")
        #expect(ambiguous.status == 65 && ambiguous.errors.contains("'trendy doctor' says how to join them"))
        for name in ["yoga", "YOGA", "type:Yoga"] { #expect(try await shell.json("list", name).array.count == 2) }
        let checks = try #require(try await shell.run("doctor", "--json").json()["checks"]).array
        let finding = try #require(checks.first { $0["check"] == "names" })
        #expect(finding["level"] == "warning" && finding["message"]?.stringValue?.hasPrefix("2 types") == true)
        let remedy = try #require(finding["remedy"]?.stringValue)
        for command in remedy.replacing(", and then ", with: "\n").split(separator: "\n") {
            let words = command.split(separator: " ").dropFirst().map(String.init)
            #expect(try await shell.run(words + ["--yes"]).status == 0, "\(command)")
        }
        let checkedAgain = try #require(try await shell.run("doctor", "--json").json()["checks"]).array
        #expect(!checkedAgain.contains { $0["check"] == "names" })
        #expect(try await shell.json("list", "yoga").array.count == 2)
        #expect(try await shell.json("list", "yoga").array.allSatisfy { $0["event_type_name"] == "Yoga" })
    }

    @Test("a name that the server has refused to a type means the other one")
    func refusedName() async throws {
        let store = try shell.stores.makeDataStore()
        for (number, status) in zip(UInt64(1)..., [SyncStatus.failed, .synced]) {
            let type = EventType(id: SequentialIdentifiers.id(number), name: "yoga")
            try store.upsert(LocalRecord(type, syncStatus: status, revision: 1))
        }
        try store.save()
        #expect(try await shell.run("log", "yoga").status == 65)
        let taken = FieldError(field: "name", message: "is taken by another record", code: FieldError.duplicate)
        var rename = PendingMutation(
            clientRequestId: "k", entityType: .eventType, operation: .update, entityId: SequentialIdentifiers.id(1),
            payload: Data(#"{"name":"yoga"}"#.utf8), createdAt: ManualWallClock.defaultStart)
        rename.state = .parked(ParkReason(code: .rejected, message: "the name is taken", fields: [taken]))
        _ = try store.insertMutation(rename)
        try store.save()
        #expect(try await shell.json("log", "yoga")["event_type_id"]?.stringValue == SequentialIdentifiers.id(2))
    }

    @Test("a type cannot be called like an option", arguments: ["-", "-x", " --note"])
    func option(name: String) async throws {
        for words in [
            ["type", "add", "--", name], ["type", "edit", "tea", "--name=\(name)"],
            ["start", "--create-type", "--", name],
        ] {
            let answer = try await shell.run(words)
            #expect(answer.status == 65 && answer.errors.contains("cannot be a type"), "\(words): \(answer.errors)")
        }
        #expect(try await shell.json("type", "list").array.map { $0["name"] } == ["coffee", "tea"])
    }

    @Test("a type needs a name", arguments: ["", " "])
    func nameless(name: String) async throws {
        for words in [["type", "add", name], ["type", "edit", "tea", "--name", name]] {
            let answer = try await shell.run(words)
            #expect(answer.status == 65 && answer.errors.hasPrefix("trendy: a type needs a name"), "\(answer.errors)")
        }
        #expect(try await shell.json("type", "list").array.map { $0["name"] } == ["coffee", "tea"])
    }

    @Test("what parts the words of a name is one blank, where it is given and where it is looked up")
    func blanks() async throws {
        #expect(try await shell.json("type", "add", " green\t \n tea ")["name"] == "green tea")
        #expect(try await shell.json("type", "edit", "tea", "--name", "black\r\ntea")["name"] == "black tea")
        let taken = try await shell.run("type", "add", "Green\ntea")
        #expect(taken.errors.contains("'green tea' exists already; choose another name"), "\(taken)")
        #expect(try await shell.output("log", "herbal\ntea", "--create-type").hasPrefix("logged herbal tea (new type)"))
        #expect(try await shell.output("log", "green\n tea").hasPrefix("logged green tea, "))
        _ = try await shell.json("place", "add", "tea\nhouse", "--lat", "1", "--lon", "2")
        _ = try await shell.json("log", "coffee", "--place", "tea house")
        _ = try await shell.json("type", "edit", "coffee", "--alias", "hot\tcup")
        #expect(try await shell.output("log", "hot cup").hasPrefix("logged coffee, "))
        let file = try shell.home.write("type,time\n\"iced\ntea\",2026-03-01\n", to: "events.csv")
        _ = try await shell.json("import", "csv", file, "--create-types")
        #expect(try await shell.json("type", "list").array.contains { $0["name"] == "iced tea" })
    }

    @Test("a control character is refused in a name, and named")
    func controls() async throws {
        let bad = "a\u{7}b"
        for words in [
            ["type", "add", bad], ["type", "edit", "tea", "--name", bad], ["type", "edit", "tea", "--alias", bad],
            ["log", bad, "--create-type"], ["place", "add", bad, "--lat", "1", "--lon", "2"],
            ["prop", "add", "tea", "x", "--kind", "text", "--label", bad],
            ["prop", "add", "tea", bad, "--kind", "text"],
        ] {
            let answer = try await shell.run(words)
            #expect(answer.status == 64 || answer.status == 65, "\(words)")
            #expect(answer.errors.contains("contains the control character U+0007; remove it"), "\(answer)")
        }
    }

    @Test("a type with a line break that came by sync is shown and found with a blank")
    func synced() async throws {
        let type = EventType(id: UUIDv7Generator(clock: shell.clock).makeId(), name: "iced\n\ttea")
        try shell.change { try $0.upsert(LocalRecord(type, syncStatus: .synced)) }
        #expect(try await shell.output("type", "list").contains("iced  tea"))
        #expect(try await shell.output("log", "Iced tea").hasPrefix("logged iced  tea, "))
        #expect(try await shell.run("type", "add", "iced tea").status == 65)
        #expect(try await shell.json("type", "edit", "iced tea", "--name", "iced tea")["name"] == "iced tea")
    }

    @Test("a type gets no name that is another's alias: the alias would stop working")
    func shadowed() async throws {
        for words in [["type", "add", "C"], ["type", "edit", "coffee", "--name", "c"]] {
            let answer = try await shell.run(words)
            #expect(answer.status == 65 && answer.errors.contains("--clear-alias"), "\(answer.errors)")
        }
        #expect(try await shell.run("type", "edit", "tea", "--name", "c").status == 0)
        #expect(try await shell.run("log", "c").output.hasPrefix("logged c, "))
    }

    @Test("a type with the name of a command is logged in full, and told so")
    func command() async throws {
        #expect(
            try await shell.output("type", "add", "list")
                .hasSuffix("; 'trendy list' is a command, so log it with 'trendy log list'\n"))
        #expect(try await shell.output("type", "edit", "tea", "--name", "Stats").hasSuffix("'trendy log Stats'\n"))
        _ = try await shell.json("type", "edit", "list", "--alias", "shopping")
        #expect(try await shell.json("list").array.isEmpty)
        #expect(try await shell.output("log", "list").hasPrefix("logged list, "))
        #expect(try await shell.output("shopping").hasPrefix("logged list, "))
        #expect(try await shell.output("start", "list").hasPrefix("started list, "))
        #expect(try await shell.output("stop", "list").hasPrefix("logged list, "))
        #expect(try await shell.json("list", "list").array.count == 3)
        #expect(try await shell.json("log", "stats")["event_type_id"] != nil)
    }
}
