import Testing

@testable import TrendyData

@Suite("What a TLS library reports")
struct TLSFailureTests {
    @Test(
        "is said in a sentence, without numbers and places in its source",
        arguments: [
            (
                "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435703 error:100000f7:SSL routines:"
                    + "OPENSSL_internal:WRONG_VERSION_NUMBER at /build/CNIOBoringSSL/ssl/tls_record.cc:127]))",
                "no TLS is spoken there: http:// perhaps, or another port"
            ),
            (
                "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268435581 error:1000007d:SSL routines:"
                    + "OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at /build/CNIOBoringSSL/ssl/handshake.cc:298]))",
                "the certificate is not trusted"
            ),
            (
                "NIOSSLExtraError.failedToValidateHostname: Couldn't find <none> in certificate from peer",
                "the certificate is for another host"
            ),
            (
                "sslError([Error: 268436572 error:1000045c:SSL routines:OPENSSL_internal:"
                    + "TLSV1_ALERT_CERTIFICATE_REQUIRED at /build/CNIOBoringSSL/ssl/tls_record.cc:592])",
                TLSFailure.clientCertificate
            ),
            (
                "handshakeFailed(NIOSSL.BoringSSLError.sslError([Error: 268436498 error:10000412:SSL routines:"
                    + "OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE at /build/CNIOBoringSSL/ssl/tls_record.cc:592]))",
                TLSFailure.clientCertificate
            ),
            ("handshakeFailed(NIOSSL.BoringSSLError.eofDuringHandshake)", "the TLS handshake failed"),
            ("something else", "something else"),
        ])
    func sentence(message: String, sentence: String) {
        #expect(TLSFailure.reason(message) == sentence)
    }
}
