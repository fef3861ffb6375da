import Foundation
import Testing

@Suite("Signing in", .fewAtOnce, .timeLimit(.minutes(10)))
struct SignInTests {
    @Test("who is signed in, and no longer after logout")
    func lifecycle() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let device = try Device()
        try await device.signUp(at: server.address)
        #expect(try await device.done("whoami").output.contains("person@example.org"))
        #expect(try await device.status().signedIn)
        try await device.done("logout")
        expectFailure(try await device.run("whoami"), 77, mentions: "login")
        expectFailure(try await device.run("sync"), 77, mentions: "login")
        #expect(try await device.status().signedIn == false)
    }

    @Test("a wrong password is refused and leaves the device as it was")
    func wrongPassword() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let device = try Device()
        try await device.signUp(at: server.address)
        let outcome = try await device.run(
            "login", "--server", server.address, "--email", "person@example.org", "--password-stdin",
            input: "wrong password entirely\n")
        expectFailure(outcome, 77)
        #expect(!outcome.errors.contains("wrong password entirely"))
        #expect(try await device.done("whoami").output.contains("person@example.org"))
    }

    @Test("the credentials are for their owner alone, and no secret is printed")
    func secrets() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let device = try Device()
        try await device.signUp(at: server.address)
        let files = try #require(FileManager.default.enumerator(atPath: device.home.path)).compactMap { $0 as? String }
        let secret = files.filter { $0.contains("credential") }
        #expect(!secret.isEmpty, "\(files)")
        for file in secret {
            let attributes = try FileManager.default.attributesOfItem(atPath: device.home.appending(path: file).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let status = try await device.done("status", "--json").output
        let whoami = try await device.done("whoami", "--json").output
        #expect(!(status + whoami).contains("token"))
    }

    @Test("TRENDY_SERVER and TRENDY_TOKEN are enough to sync")
    func tokenFromEnvironment() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let owner = try Device()
        try await owner.signUp(at: server.address)
        try await owner.log("tea", "--create-type")
        try await owner.sync()
        let token = try #require(try storedToken(of: owner))

        var robot = try Device()
        robot.environment = ["TRENDY_SERVER": server.address, "TRENDY_TOKEN": token]
        #expect(try await robot.sync().bootstrapped)
        #expect(try await robot.events().count == 1)
        robot.environment["TRENDY_TOKEN"] = "no-such-token"
        expectFailure(try await robot.run("sync"), 77)
        #expect(try await robot.events().count == 1)
    }

    @Test("signing up twice with one address is refused")
    func signUpTwice() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let (first, second) = (try Device(), try Device())
        try await first.signUp(at: server.address)
        let outcome = try await second.run(
            "signup", "--server", server.address, "--email", "person@example.org", "--password-stdin",
            input: "another long password\n")
        expectFailure(outcome, 65)
    }

    /// The access token in the file that the device keeps for its owner.
    private func storedToken(of device: Device) throws -> String? {
        let files = FileManager.default.enumerator(atPath: device.home.path)?.compactMap { $0 as? String } ?? []
        for file in files where file.contains("credential") {
            let text = try String(contentsOf: device.home.appending(path: file), encoding: .utf8)
            let match = try Regex(#""access_?[tT]oken"\s*:\s*"([^"]+)""#).firstMatch(in: text)
            if let token = match?.output[1].substring { return String(token) }
        }
        return nil
    }
}
