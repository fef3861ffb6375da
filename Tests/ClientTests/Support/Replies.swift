import Foundation

extension [ServerStep] {
    /// A whole answer with the length that it has.
    static func reply(
        _ status: Int, _ body: String = "", type: String? = "application/json; charset=utf-8",
        headers: [String: String] = [:]
    ) -> [ServerStep] {
        var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.utf8.count)\r\n"
        if let type { head += "Content-Type: \(type)\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return [.send(Data((head + "\r\n" + body).utf8))]
    }

    static func json(_ body: String) -> [ServerStep] { reply(200, body) }

    static func html(_ status: Int) -> [ServerStep] {
        reply(status, "<html><body>Welcome to the hotel</body></html>", type: "text/html; charset=utf-8")
    }

    static func problem(_ status: Int, _ body: String, headers: [String: String] = [:]) -> [ServerStep] {
        reply(status, body, type: "application/problem+json", headers: headers)
    }

    static func raw(_ text: String) -> [ServerStep] { [.send(Data(text.utf8))] }
}
