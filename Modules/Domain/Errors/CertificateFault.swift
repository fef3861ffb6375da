/// Why a server's certificate does not prove that it is the server.
public enum CertificateFault: Sendable, Hashable {
    /// Its time is over since then; nil where the system does not tell the moment.
    case expired(Timestamp?)
    /// Its time begins then; nil where the system does not tell the moment.
    case notYetValid(Timestamp?)
    /// An intermediate certificate, which the server sends along, expired then.
    case chainExpired(Timestamp)
    /// The time of the authority's own certificate is over since then.
    case authorityExpired(Timestamp)
    /// It names other hosts than the one that was asked for.
    case otherHost
    /// The server has signed it itself.
    case selfSigned
    /// No authority that this device trusts stands behind it.
    case unknownAuthority
    /// As ``unknownAuthority``, but the server sends only its own certificate: an intermediate one may be missing.
    case unknownAuthorityOfLoneCertificate
}

extension CertificateFault: CustomStringConvertible {
    /// What is wrong with the certificate, and what to do, as it goes on after "the server's certificate".
    public var description: String {
        switch self {
        case .expired(let end):
            (end.map { "expired on \(Self.day($0))" } ?? "has expired")
                + "; whoever runs the server has to renew it, unless the clock of this device is wrong"
        case .notYetValid(let start):
            (start.map { "is not valid before \(Self.day($0))" } ?? "is not valid yet")
                + "; whoever runs the server has to replace it, unless the clock of this device is wrong"
        case .chainExpired(let end):
            "comes with one of an authority between, which expired on \(Self.day(end)); whoever runs the server has to "
                + "replace that one, unless the clock of this device is wrong"
        case .authorityExpired(let end):
            "is from an authority whose own certificate expired on \(Self.day(end)); name the authority's new certificate in "
                + "the setting ca-file or in SSL_CERT_FILE, unless the clock of this device is wrong"
        case .otherHost: "is for another host; check the address"
        case .selfSigned: "is signed by the server itself; if the server is your own, \(Self.trust)"
        case .unknownAuthority:
            "is from an authority that this device does not trust; if the authority is your own, \(Self.trust)"
        case .unknownAuthorityOfLoneCertificate:
            "is from an authority that this device does not trust; the server may leave out the certificate of an "
                + "authority between: then whoever runs the server has to add it; if the authority is your own, "
                + Self.trust
        }
    }

    /// The day in universal time, as certificates count: `2021-01-01`.
    private static func day(_ moment: Timestamp) -> Substring { moment.description.prefix(10) }

    private static let trust = "name the certificate's file in the setting ca-file or in SSL_CERT_FILE"
}
