import Foundation
import Testing

@Suite("How the end of a process is noticed", .fewAtOnce, .timeLimit(.minutes(5)))
struct ExitTests {
    private func shell(_ script: String, input: Any = FileHandle.nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.standardInput = input
        try process.run()
        return process
    }

    @Test("by its code, or by the signal that ended it, and as often as it is asked")
    func kinds() async throws {
        let code = try shell("exit 3")
        #expect(await code.ended() == .code(3))
        #expect(await code.ended() == .code(3))
        #expect(code.exit == .code(3))
        #expect(try await shell("kill -KILL $$").ended() == .signal(SIGKILL))
    }

    @Test("not before it has come")
    func running() async throws {
        let input = Pipe()
        let process = try shell("cat", input: input)
        #expect(process.exit == nil)
        try input.fileHandleForWriting.close()
        #expect(await process.ended() == .code(0))
    }

    @Test("although a child that it left behind holds open whatever it had")
    func childLeftBehind() async throws {
        let input = Pipe()
        let process = try shell("exec 3<&0; cat <&3 >/dev/null & exit 4", input: input)
        // The child reads for as long as this end of the pipe is open.
        #expect(await process.ended() == .code(4))
        #expect(process.exit == .code(4))
        try input.fileHandleForWriting.close()
    }

    @Test("after Foundation has noticed it too")
    func later() async throws {
        let process = try shell("exit 5")
        process.waitUntilExit()
        #expect(process.exit == .code(5))
        #expect(await process.ended() == .code(5))
    }
}
