import Foundation
import Testing

/// What answers in place of a Trendy server, and how `trendy sync` must end.
struct StrangeAnswer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: String
    var headers: [String] = []
    let body: String
    let code: Int32
}

@Suite("What answers is no Trendy server, or is unwell", .fewAtOnce, .timeLimit(.minutes(10)))
struct StrangeServerTests {
    static let answers = [
        StrangeAnswer(
            testDescription: "a captive portal", status: "200 OK", headers: ["Content-Type: text/html"],
            body: "<html><body>Welcome to the hotel</body></html>", code: 69),
        StrangeAnswer(
            testDescription: "another site", status: "404 Not Found", headers: ["Content-Type: text/plain"],
            body: "not here", code: 69),
        StrangeAnswer(
            testDescription: "a server that fails", status: "500 Internal Server Error",
            headers: ["Content-Type: application/json"], body: #"{"error":"out of order"}"#, code: 69),
        StrangeAnswer(
            testDescription: "JSON that is none", status: "200 OK", headers: ["Content-Type: application/json"],
            body: #"{"status":"#, code: 69),
        StrangeAnswer(
            testDescription: "a server that asks for a pause", status: "429 Too Many Requests",
            headers: ["Content-Type: application/json", "Retry-After: 120"], body: #"{"error":"slow down"}"#, code: 75),
    ]

    @Test("ends a sync with the right code and leaves queue and records as they are", arguments: answers)
    func sync(answer: StrangeAnswer) async throws {
        var device = try Device()
        try await device.log("tea", "--create-type", "--note", "kept")
        let before = try await device.done("export", "json").output
        let server = try StandInServer(status: answer.status, headers: answer.headers, body: answer.body)
        device.environment = ["TRENDY_SERVER": server.address, "TRENDY_TOKEN": "some-token"]

        expectFailure(try await device.run("sync"), answer.code)
        let status = try await device.status()
        #expect(status.pending == 2 && status.parked == 0)
        #expect(try await device.done("export", "json").output == before)
    }

    @Test("while a pause lasts, a further sync sends nothing and says when it can go on")
    func pauseOutlivesTheProcess() async throws {
        var device = try Device()
        try await device.log("tea", "--create-type")
        do {
            let server = try StandInServer(
                status: "429 Too Many Requests",
                headers: ["Content-Type: application/json", "Retry-After: 300"], body: #"{"error":"slow down"}"#)
            device.environment = ["TRENDY_SERVER": server.address, "TRENDY_TOKEN": "some-token"]
            expectFailure(try await device.run("sync"), 75)
        }
        // Nobody listens any more: only a sync that sends nothing still ends with 75.
        let outcome = try await device.run("sync", "--json")
        #expect(outcome.status == 75, "\(outcome)")
        let report = try outcome.decode(SyncOutput.self)
        let pause = try #require(report.retryAfter)
        #expect(report.state == "rate_limited" && pause > 200 && pause <= 300)
    }

    @Test(
        "signing in there fails, tells nobody the password, and leaves nobody signed in",
        arguments: [
            answers[0],
            StrangeAnswer(
                testDescription: "any page that says that it is well", status: "200 OK",
                headers: ["Content-Type: application/json"], body: #"{"status":"ok"}"#, code: 69),
        ])
    func login(answer: StrangeAnswer) async throws {
        let server = try StandInServer(status: answer.status, headers: answer.headers, body: answer.body)
        let device = try Device()
        for command in ["login", "signup"] {
            let outcome = try await device.run(
                command, "--server", server.address, "--email", "a@example.org", "--password-stdin",
                input: "a long password\n")
            expectFailure(outcome, 69, mentions: "not the expected server")
        }
        #expect(try await device.status().signedIn == false)
    }
}
