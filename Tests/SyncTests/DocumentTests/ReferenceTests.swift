import Foundation
import Testing

/// What the project's sources declare, for documents that name it.
struct Sources {
    private(set) var types: Set<String> = []
    private(set) var members: Set<String> = []

    /// Read once: there are many of them.
    static let all = Result { try Sources() }

    private init() throws {
        types = ["Sendable"]
        let manifest = try String(contentsOf: Document.root.appending(path: "Package.swift"), encoding: .utf8)
        for match in manifest.matches(of: /"(Trendy\w+)"/) { types.insert(String(match.1)) }
        for folder in ["Modules", "Tests"] {
            let files = FileManager.default.enumerator(atPath: Document.root.appending(path: folder).path())
            while let path = files?.nextObject() as? String {
                guard path.hasSuffix(".swift") else { continue }
                read(try String(contentsOf: Document.root.appending(path: "\(folder)/\(path)"), encoding: .utf8))
            }
        }
    }

    private mutating func read(_ source: String) {
        for match in source.matches(of: /\b(?:struct|class|actor|enum|protocol|typealias) ([A-Z]\w*)/) {
            types.insert(String(match.1))
        }
        for match in source.matches(of: /\b(?:func|var|let) `?([a-z]\w*)/) { members.insert(String(match.1)) }
        for match in source.matches(of: /\bcase ([^:\n]+)/) {
            for name in match.1.matches(of: /[a-z]\w*/) { members.insert(String(name.0)) }
        }
    }

    /// What a document names in backticks, or as a participant of a diagram, and the project does not have.
    func unknown(in document: Document) -> [String] {
        let quoted = document.text.matches(of: /`([^`\n]+)`/).map { String($0.1) }
        let participants = document.diagrams.joined().compactMap { line in
            (try? /participant \w+ as ([A-Z][a-z]+[A-Z]\w*)/.wholeMatch(in: line)).map { String($0.1) }
        }
        return (quoted + participants).filter { !isKnown($0) }
    }

    /// Only names that look like a path, a type, a member or a function are judged.
    private func isKnown(_ name: String) -> Bool {
        if name.wholeMatch(of: /(?:Modules|Tests|Docs)\/[\w\/+.\-]+/) != nil {
            return FileManager.default.fileExists(atPath: Document.root.appending(path: name).path())
        }
        if let match = name.wholeMatch(of: /([A-Z]\w*[a-z]\w*)(?:\.(\w+)(?:\(.*\))?)?/) {
            return types.contains(String(match.1)) && match.2.map { isDeclared(String($0)) } ?? true
        }
        if let match = name.wholeMatch(of: /([a-z]\w*)\((?:\w+:|_:)*\)/) { return members.contains(String(match.1)) }
        return true
    }

    private func isDeclared(_ member: String) -> Bool { members.contains(member) || types.contains(member) }
}

@Suite("What the documents of the sync engine name")
struct ReferenceTests {
    static let names = [
        "SyncStateMachine.md", "ErrorRecovery.md", "DataFlows.md", "SyncModel.md", "DependencyInjection.md",
    ]

    @Test("exists", arguments: names + ["PromiseTests.md"])
    func exists(name: String) throws {
        let document = try Document(named: name)
        let unknown = try Sources.all.get().unknown(in: document)
        #expect(unknown == [])
        if name == "PromiseTests.md" { return }
        #expect(document.text.matches(of: /`Modules\/[^`]+`/).count >= 3, "a document says where things are")
        #expect(!document.diagrams.isEmpty)
    }

    @Test("would be missed if it did not exist")
    func missed() throws {
        let text = """
            `Modules/Sync/Nowhere.swift`, `SyncEngine`, `NoSuchType`, `SyncEngine.noSuchMember`, `noSuchFunction()`,
            `performSync()`, `SyncEngine.performSync()`, `GET /health`, `Retry-After`
            ```mermaid
            participant Q as QueueOfDreams
            ```
            """
        let unknown = try Sources.all.get().unknown(in: Document(text: text))
        #expect(
            unknown == [
                "Modules/Sync/Nowhere.swift", "NoSuchType", "SyncEngine.noSuchMember", "noSuchFunction()",
                "QueueOfDreams",
            ])
    }

    @Test("diagrams are of a kind that is known, and their notes and boxes are closed", arguments: names)
    func diagrams(name: String) throws {
        for diagram in try Document(named: name).diagrams {
            let kind = try #require(diagram.first)
            #expect(
                ["stateDiagram-v2", "sequenceDiagram", "classDiagram", "flowchart TD", "flowchart LR"].contains(kind))
            guard kind == "sequenceDiagram" else { continue }
            let opened = diagram.filter { $0.firstMatch(of: /^(?:alt|opt|loop|rect|par|critical|break)\b/) != nil }
            #expect(opened.count == diagram.filter { $0 == "end" }.count)
            let named = Set(diagram.compactMap { $0.firstMatch(of: /^participant (\w+)/)?.1 })
            for line in diagram {
                guard let match = line.firstMatch(of: /^(\w+)-?->>(\w+): .+/) else { continue }
                #expect(named.contains(match.1) && named.contains(match.2), "\(name): \(line)")
            }
            // A semicolon ends a statement in Mermaid, and a hash begins an entity.
            #expect(!diagram.contains { $0.contains(";") || $0.contains("#") }, "\(name)")
        }
    }
}
