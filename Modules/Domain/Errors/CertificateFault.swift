/// Why a server's certificate does not prove that it is the server.
public enum CertificateFault: Sendable, Hashable {
    /// Its time is over since then; nil where the system does not tell the moment.
    case expired(Timestamp?)
    /// Its time begins then; nil where the system does not tell the moment.
    case notYetValid(Timestamp?)
    /// The time of the authority's own certificate is over since then.
    case authorityExpired(Timestamp)
    /// It names other hosts than the one that was asked for.
    case otherHost
    /// The server has signed it itself.
    case selfSigned
    /// No authority that this device trusts stands behind it.
    case unknownAuthority
}

extension CertificateFault: CustomStringConvertible {
    /// What is wrong with the certificate, and what to do, as it goes on after "the server's certificate".
    public var description: String {
        switch self {
        case .expired(let end):
            "has expired\(end.map { " on \($0)" } ?? ""); whoever runs the server has to renew it, unless the clock of "
                + "this device is wrong"
        case .notYetValid(let start):
            "is not valid yet\(start.map { ", but from \($0) on" } ?? ""); set the clock of this device"
        case .authorityExpired(let end):
            "is from an authority whose own certificate has expired on \(end); name the authority's new certificate in "
                + "the setting ca-file or in SSL_CERT_FILE, unless the clock of this device is wrong"
        case .otherHost: "is for another host; check the address"
        case .selfSigned: "is signed by the server itself; if the server is your own, \(Self.trust)"
        case .unknownAuthority:
            "is from an authority that this device does not trust; if the authority is your own, \(Self.trust)"
        }
    }

    private static let trust = "name the certificate's file in the setting ca-file or in SSL_CERT_FILE"
}
