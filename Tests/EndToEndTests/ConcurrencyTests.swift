import Foundation
import Testing
import TrendyDomain
import TrendyProcesses

@Suite("Several processes on one store", .fewAtOnce)
struct ConcurrencyTests {
    @Test("a type that several make at once is made once, and every event goes in")
    func createType() async throws {
        let device = try Device()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { _ = try await device.done("log", "new", "--create-type") } }
            try await group.waitForAll()
        }
        #expect(try await device.types().count == 1)
        #expect(try await device.events().count == 6)
    }

    @Test("a file that two import at once goes in once")
    func imports() async throws {
        let device = try Device()
        let rows = (0..<3000).map { "\(1_700_000_000 + $0),k\($0 % 3)" }
        let file = try device.folder.write("t,k\n" + rows.joined(separator: "\n"), to: "in.csv")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { _ = try await device.done("import", "csv", file, "--time", "t", "--type", "k") }
            }
            try await group.waitForAll()
        }
        #expect(try await device.events().count == 3000)
        #expect(try await device.types().count == 3)
    }

    @Test("output that cannot be written after an event is stored says that it is")
    func fullOutput() async throws {
        let device = try Device()
        let pipe = device.folder.url.appending(path: "unwritable")
        try Data().write(to: pipe)
        let errors = device.folder.url.appending(path: "errors")
        try Data().write(to: errors)
        // A descriptor that is open for reading alone fails each write.
        let process = try Program.start(
            ["log", "x", "--create-type"], environment: ["TRENDY_HOME": device.home.path],
            output: FileHandle(forReadingFrom: pipe), errors: FileHandle(forWritingTo: errors))
        #expect(await process.ended() == .code(74))
        #expect(try String(contentsOf: errors, encoding: .utf8).contains("the change is stored"))
        #expect(try await device.events().count == 1)
    }
}
