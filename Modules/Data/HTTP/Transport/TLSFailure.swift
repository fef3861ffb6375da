/// Says what a TLS library means by its failures, which it reports with numbers and places in its own source.
enum TLSFailure {
    /// A sentence for what a person can do something about; other messages stay as they are.
    static func reason(_ message: String) -> String {
        // The names are those of BoringSSL; what is about neither TLS nor a certificate has none of them.
        if message.contains("WRONG_VERSION_NUMBER") || message.contains("HTTP_REQUEST") {
            return "no TLS is spoken there: http:// perhaps, or another port"
        }
        if message.contains("CERTIFICATE_VERIFY_FAILED") || message.contains("unableToValidateCertificate") {
            return "the certificate is not trusted"
        }
        if message.contains("failedToValidateHostname") { return "the certificate is for another host" }
        // Alerts of a server. The second is what older ones send in place of the first.
        if message.contains("ALERT_CERTIFICATE_REQUIRED") || message.contains("ALERT_BAD_CERTIFICATE ") {
            return clientCertificate
        }
        return message.contains("handshakeFailed") ? "the TLS handshake failed" : message
    }

    /// The server demands a certificate from the client.
    static let clientCertificate =
        "the server, or a proxy before it, demands a certificate of this device, which Trendy cannot show"
}
