#if canImport(Darwin)
    import Foundation
    import Security

    /// What URL loading is told where it asks for trust in a server, or for the user of a proxy.
    struct ChallengeAnswers: Sendable {
        private let proxy: Proxy?
        /// The certificates (DER) of authorities beside the system's.
        private let authorities: [Data]

        init(_ configuration: TransportConfiguration) {
            proxy = configuration.proxy
            authorities = configuration.authorities.own
        }

        func answer(
            _ challenge: URLAuthenticationChallenge
        ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            let space = challenge.protectionSpace
            if space.isProxy(), challenge.previousFailureCount == 0, let user = proxy?.user {
                let password = proxy?.password?.value ?? ""
                return (.useCredential, URLCredential(user: user, password: password, persistence: .forSession))
            }
            guard !authorities.isEmpty, let trust = space.serverTrust else { return (.performDefaultHandling, nil) }
            let anchors = authorities.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, false)
            guard SecTrustEvaluateWithError(trust, nil) else { return (.performDefaultHandling, nil) }
            return (.useCredential, URLCredential(trust: trust))
        }
    }

    extension Proxy {
        /// The proxy in the words of URL loading. Not every system has constants for these keys.
        var dictionary: [AnyHashable: Any] {
            switch kind {
            case .http:
                [
                    "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
                    "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
                ]
            case .socks5: ["SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port]
            }
        }
    }
#endif
