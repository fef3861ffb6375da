import Foundation
import Testing

@testable import TrendyApp

@Suite("What a process that is started in the background has of this one")
struct ProgramLauncherTests {
    @Test("is the file that it is given, and no other, however many are open")
    func files() throws {
        let (given, other) = (Pipe(), Pipe())
        // What a shell hands on to a command has such a number, and is not closed when another program takes over.
        let number = fcntl(other.fileHandleForWriting.fileDescriptor, F_DUPFD, 300)
        #expect(number >= 300)
        let source = fcntl(given.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 4)
        // It runs for as long as the other end of what it is given is open.
        #expect(ProgramLauncher.spawn("/bin/sh", ["sh", "-c", "exec cat <&3"], handing: source))
        close(source)
        close(number)
        try other.fileHandleForWriting.close()
        var end = pollfd(fd: other.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        // Another test may start a program at the same moment; none of those holds it for long.
        #expect(poll(&end, 1, 20_000) == 1, "the program that was started holds a file open that is not its own")
        #expect(Int32(end.revents) & Int32(POLLHUP) != 0)
        try given.fileHandleForWriting.close()
    }

    @Test("and the same folders, though it works in another one")
    func folders() {
        let variables = [
            "TRENDY_HOME": "mine/trendy", "HOME": "/home/ann", "XDG_DATA_HOME": "data", "X": "y",
            "TRENDY_CA_FILE": "own.pem", "SSL_CERT_FILE": "/certificates.pem", "SSL_CERT_DIR": "certs:/etc/certs",
        ]
        // A folder may have a colon in its name. Only the last of these variables is a list.
        let colon = ["TRENDY_HOME": "/mine/a:b", "SSL_CERT_FILE": "a:b.pem", "HOME": ""]
        #expect(
            ProgramLauncher.variables(colon, in: "/work") == [
                "TRENDY_HOME": "/mine/a:b", "SSL_CERT_FILE": "/work/a:b.pem", "HOME": "",
            ])
        #expect(
            ProgramLauncher.variables(variables, in: "/work") == [
                "TRENDY_HOME": "/work/mine/trendy", "HOME": "/home/ann", "XDG_DATA_HOME": "data", "X": "y",
                "TRENDY_CA_FILE": "/work/own.pem", "SSL_CERT_FILE": "/certificates.pem",
                "SSL_CERT_DIR": "/work/certs:/etc/certs",
            ])
    }
}
