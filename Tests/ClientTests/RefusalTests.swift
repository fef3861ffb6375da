import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("refusals")
struct RefusalTests {
    private func refusal(_ steps: [ServerStep]) async throws -> APIError? {
        var error: APIError?
        try await withHarness { _ in
            steps
        } _: { harness async throws in
            error = await apiError { _ = try await harness.client.createEventType(CreateRequest(makeEventType())) }
        }
        return error
    }

    @Test("a problem document is read with its fields")
    func problemDocument() async throws {
        let body = """
            {"type":"urn:trendy:error:validation","title":"Validation","status":400,"detail":"wrong fields",
            "request_id":"r1","user_message":"Check it","action":"edit","errors":[{"field":"name","message":"must not be empty","code":"required"},7]}
            """
        let error = try await refusal(.problem(400, body))
        let problem = try #require(error?.problem)
        #expect(problem.type == "urn:trendy:error:validation")
        #expect(problem.detail == "wrong fields" && problem.requestId == "r1" && problem.userMessage == "Check it")
        #expect(problem.errors == [FieldError(field: "name", message: "must not be empty", code: "required")])
    }

    @Test(
        "plain error bodies give their text",
        arguments: [
            (#"{"error":"duplicate key value"}"#, "application/json", "duplicate key value"),
            (#"{"message":"no such thing"}"#, "application/json", "no such thing"),
            (#"{"error":{"message":"nested"}}"#, "application/json", "nested"),
            ("404 page not found\n", "text/plain", "404 page not found"),
            ("no rows in result set", "application/json", "no rows in result set"),
            (#""a text""#, "application/json", "a text"), ("<p>", "application/json", nil),
            ("", "text/plain", nil), ("{", "application/json", nil), ("{}", "application/json", nil),
            (#"{"error":"Internal Server Error","message":"the reason"}"#, "application/json", "the reason"),
            (#"{"error":"Internal Server Error"}"#, "application/json", "Internal Server Error"),
            (#"{"error":"db","details":"duplicate key value"}"#, "application/json", "db: duplicate key value"),
            (#"{"errors":["one","two","one"]}"#, "application/json", "one; two"),
            (#"{"errors":[{"message":"one"}]}"#, "application/json", "one"),
            (#"{"detail":[{"loc":["body","name"],"msg":"is required"}]}"#, "application/json", "is required"),
            (#"{"reason":"no room"}"#, "application/json", "no room"),
            (#"["no","room"]"#, "application/json", "no; room"), ("[1]", "application/json", "[1]"),
            ("{\"code\":\n  7}", "application/json", #"{"code": 7}"#),
        ])
    func plainBodies(_ body: String, _ type: String, _ detail: String?) async throws {
        let error = try await refusal(.reply(500, body, type: type))
        #expect(error?.status == 500)
        #expect(error?.problem?.detail == detail)
    }

    @Test("texts by the names of fields are complaints about them")
    func fields() async throws {
        let body = #"{"errors":{"name":["is taken","is short"],"color":"is no color"}}"#
        let error = try await refusal(.reply(422, body))
        #expect(
            error?.problem?.errors == [
                FieldError(field: "color", message: "is no color"),
                FieldError(field: "name", message: "is taken; is short"),
            ])
        #expect(error?.description == "the server answered 422: color is no color; name is taken; is short")
    }

    @Test("of JSON without a known text the beginning is shown")
    func unknownJSON() async throws {
        let error = try await refusal(.reply(500, #"{"a":"\#(String(repeating: "ü", count: 900))"}"#))
        #expect(error?.problem?.detail == #"{"a":""# + String(repeating: "ü", count: 294))
    }

    @Test(
        "the longer of header and body says how long to wait",
        arguments: [
            ("7", "{}", 7), (nil, #"{"retry_after":12}"#, 12), ("7", #"{"retry_after":12}"#, 12),
            ("30", #"{"retry_after":12}"#, 30), ("Thu, 01 Jan 2026 00:01:30 GMT", "{}", 90),
            ("Wed, 31 Dec 2025 23:00:00 GMT", "{}", 0), ("1e300", "{}", 86_400), ("-5", "{}", 0), ("soon", "{}", nil),
            ("NaN", "{}", nil), (nil, "{}", nil), (nil, #"{"retry_after":"x"}"#, nil), ("2.5", "{}", 2.5),
        ] as [(String?, String, Double?)])
    func retryAfter(_ header: String?, _ body: String, _ seconds: Double?) async throws {
        let error = try await refusal(.reply(429, body, headers: header.map { ["Retry-After": $0] } ?? [:]))
        #expect(error == .rateLimited(retryAfter: seconds))
    }

    @Test(
        "a date says how long to wait by the clock that it is from, the server's where it tells it",
        arguments: [
            ("Mon, 06 Jul 2020 10:02:00 GMT", "Mon, 06 Jul 2020 10:00:00 GMT", 120),
            ("Monday, 06-Jul-20 10:02:00 GMT", "Mon Jul  6 10:01:00 2020", 60),
            ("Mon Jul  6 09:00:00 2020", "Mon, 06 Jul 2020 10:00:00 GMT", 0),
            // By the device's clock, where the server's cannot be read.
            ("Thu, 01 Jan 2026 00:01:30 GMT", "now", 90),
        ])
    func retryDate(_ date: String, _ serverTime: String, _ seconds: Double) async throws {
        let error = try await refusal(.reply(429, "{}", headers: ["Retry-After": date, "Date": serverTime]))
        #expect(error == .rateLimited(retryAfter: seconds))
    }

    @Test("a limiter's web page is a limit all the same")
    func limiterPage() async throws {
        #expect(try await refusal(.html(429)) == .rateLimited(retryAfter: nil))
    }

    @Test("a request that came too slowly is a timeout, not a fault of the record")
    func requestTimeout() async throws {
        #expect(try await refusal(.reply(408, "")) == .timeout)
    }

    @Test("statuses of the client's making keep their number", arguments: [400, 403, 404, 409, 413, 422, 425])
    func clientErrors(_ status: Int) async throws {
        #expect(try await refusal(.reply(status, #"{"error":"no"}"#))?.status == status)
    }
}
