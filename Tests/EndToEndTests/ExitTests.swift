import Foundation
import Testing
import TrendyProcesses

@Suite("How the end of a process is noticed", .fewAtOnce, .timeLimit(.minutes(5)))
struct ExitTests {
    private func shell(_ script: String, input: FileHandle? = nil) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", script], environment: [:], streams: .files(input: input))
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
        let process = try shell("cat", input: input.fileHandleForReading)
        #expect(process.exit == nil)
        try input.fileHandleForWriting.close()
        #expect(await process.ended() == .code(0))
    }

    @Test("although a child that it left behind holds open whatever it had")
    func childLeftBehind() async throws {
        let input = Pipe()
        let process = try shell("exec 3<&0; cat <&3 >/dev/null & exit 4", input: input.fileHandleForReading)
        // The child reads for as long as this end of the pipe is open.
        #expect(await process.ended() == .code(4))
        try input.fileHandleForWriting.close()
    }

    @Test("and it is no child of this process any more then")
    func takenAway() async throws {
        let process = try shell("exit 5")
        #expect(await process.ended() == .code(5))
        var status: Int32 = 0
        #expect(waitpid(process.processIdentifier, &status, WNOHANG) == -1 && errno == ECHILD)
    }

    @Test("and a program that is not there is a clear error")
    func missing() {
        let error = #expect(throws: CannotStart.self) { try ChildProcess("/no/such/program", [], environment: [:]) }
        #expect(error?.description.contains("cannot start /no/such/program: ") == true)
    }
}
