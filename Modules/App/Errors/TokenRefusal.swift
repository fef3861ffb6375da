import TrendyData
import TrendyDomain
import TrendyTerminal

/// The server does not accept the token from the environment.
struct TokenRefusal: Error {
    let server: ServerAddress
    /// What the server says.
    let reason: String
    /// Whether the refusal may come from an outage.
    let mayPass: Bool

    /// What the server says. That nothing renews such a token needs no words.
    var answer: String {
        reason.hasSuffix(APIError.withoutRenewal) ? String(reason.dropLast(APIError.withoutRenewal.count)) : reason
    }

    /// The refusal in words, with what to do.
    var failure: CommandFailure {
        let fact = "\(server) does not accept the token in TRENDY_TOKEN"
        if !mayPass { return .signIn("\(fact); check TRENDY_TOKEN") }
        return .signIn(
            "\(fact) (\(answer)), and does not say that it has ended: \(CommandFailure.outage); nothing is lost; "
                + "try again later, and if it goes on, check TRENDY_TOKEN")
    }
}
