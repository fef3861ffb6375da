import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyData

@Suite("the certificates of servers and of those who vouch for them", .timeLimit(.minutes(2)))
struct CertificateTests {
    /// A file in a folder of its own, which goes with the object.
    private final class TemporaryFile {
        let folder: URL
        let path: String

        init(_ text: String) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            path = folder.appending(path: "authorities.pem").path
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    @Test("a fault of a certificate is told with the day, and names what helps")
    func words() throws {
        let moment = try #require(Timestamp("2021-01-01T00:00:00Z"))
        func text(_ fault: CertificateFault) -> String { APIError.untrusted(fault).description }
        #expect(text(.expired(moment)).hasPrefix("the server's certificate expired on 2021-01-01; whoever"))
        #expect(text(.expired(nil)).hasPrefix("the server's certificate has expired; whoever"))
        #expect(text(.notYetValid(moment)).contains("certificate is not valid before 2021-01-01; whoever runs"))
        #expect(text(.notYetValid(nil)).contains("certificate is not valid yet; whoever runs the server"))
        #expect(text(.authorityExpired(moment)).contains("whose own certificate expired on 2021-01-01; name"))
        #expect(text(.chainExpired(moment)).contains("an authority between, which expired on 2021-01-01; whoever"))
        #expect(
            text(.unknownAuthorityOfLoneCertificate).contains("may leave out the certificate of an authority between"))
    }

    #if canImport(NIOSSL)
        /// What becomes of a request to a server that shows a certificate, and what the server has received.
        private func ask(
            _ certificate: String, trusting file: String?, environment: [String: String] = [:]
        ) async throws -> (error: APIError?, received: Int) {
            let server = try await TLSServer(showing: certificate)
            defer { server.stop() }
            let authorities = try CertificateAuthorities(own: file.map { ($0, "ca-file") }, environment: environment)
            let transport = standardTransport(
                configuration: TransportConfiguration(
                    idleTimeout: .seconds(60), totalTimeout: .seconds(120), authorities: authorities))
            let url = try #require(URL(string: "https://localhost:\(server.port)/"))
            let error = await apiError { _ = try await transport.send(TransportRequest(method: .get, url: url)) }
            return (error, server.requestCount)
        }

        @Test("a server is trusted by an authority of one's own, beside the system's or in place of it")
        func own() async throws {
            let file = try TemporaryFile(TestCertificates.authority)
            #expect(try await ask(TestCertificates.good, trusting: file.path).error == nil)
            let replaced = ["SSL_CERT_FILE": file.path]
            #expect(try await ask(TestCertificates.good, trusting: nil, environment: replaced).error == nil)
            let stated = try TemporaryFile(TestCertificates.selfSigned)
            #expect(try await ask(TestCertificates.selfSigned, trusting: stated.path).error == nil)
        }

        @Test("each fault of a certificate is its own kind, and nothing is sent")
        func faults() async throws {
            let file = try TemporaryFile(TestCertificates.authority)
            let old = try TemporaryFile(TestCertificates.expiredAuthority)
            let end = try #require(Timestamp("2021-01-01T00:00:00Z"))
            let start = try #require(Timestamp("2119-01-01T00:00:00Z"))
            let faults: [(certificate: String, trusted: String?, CertificateFault)] = [
                (TestCertificates.expired, file.path, .expired(end)),
                (TestCertificates.early, file.path, .notYetValid(start)),
                (TestCertificates.otherHost, file.path, .otherHost),
                (TestCertificates.selfSigned, file.path, .selfSigned),
                (TestCertificates.good, nil, .unknownAuthorityOfLoneCertificate),
                (TestCertificates.ofExpiredAuthority, old.path, .authorityExpired(end)),
                (TestCertificates.ofExpiredAuthority, file.path, .unknownAuthorityOfLoneCertificate),
            ]
            for (certificate, trusted, fault) in faults {
                let (error, received) = try await ask(certificate, trusting: trusted)
                #expect(error == .untrusted(fault))
                #expect(received == 0, "\(fault)")
            }
            let (error, _) = try await ask(
                TestCertificates.ofExpiredAuthority, trusting: nil, environment: ["SSL_CERT_FILE": old.path])
            #expect(error == .untrusted(.authorityExpired(end)))
        }

        @Test("one that the server shows above its own is told where it has expired, and where none is shown")
        func expiredBetween() async throws {
            let root = try TemporaryFile(TestCertificates.rootAuthority)
            let end = try #require(Timestamp("2021-01-01T00:00:00Z"))
            let chain = TestCertificates.ofExpiredIntermediate + "\n" + TestCertificates.expiredIntermediate
            let cases: [(shown: String, trusted: String?, CertificateFault)] = [
                (chain, root.path, .chainExpired(end)), (chain, nil, .chainExpired(end)),
                (TestCertificates.ofExpiredIntermediate, root.path, .unknownAuthorityOfLoneCertificate),
                // One that has nothing to do with it.
                (TestCertificates.good + "\n" + TestCertificates.expiredIntermediate, nil, .unknownAuthority),
                // The authority's own, which counts only where it is trusted.
                (
                    TestCertificates.ofExpiredAuthority + "\n" + TestCertificates.expiredAuthority, root.path,
                    .unknownAuthority
                ),
            ]
            for (shown, trusted, fault) in cases {
                let (error, received) = try await ask(shown, trusting: trusted)
                #expect(error == .untrusted(fault), "\(shown)")
                #expect(received == 0, "\(fault)")
            }
        }

        @Test("a server that speaks no TLS is no fault of a certificate")
        func noTLS() async throws {
            let server = try LoopbackServer { _ in .json("[]") }
            defer { server.stop() }
            let url = try #require(URL(string: "https://localhost:\(server.port)/"))
            let error = await apiError {
                _ = try await standardTransport(configuration: .patient).send(TransportRequest(method: .get, url: url))
            }
            #expect(error?.isConnection == true, "\(String(describing: error))")
        }
    #endif

    @Test("a file of certificates that cannot be used is named, with who names it and what is wrong")
    func files() throws {
        let sound = try TemporaryFile("some words\n" + TestCertificates.authority + "\n" + TestCertificates.good)
        #expect(try CertificateAuthorities(own: (sound.path, "ca-file"), environment: [:]).own.count == 2)
        let cut = try TemporaryFile(TestCertificates.good + "\n" + String(TestCertificates.authority.prefix(200)))
        let broken = TestCertificates.good.replacingOccurrences(of: "\nMII", with: "\nAAA")
        let cases: [(String, CertificateFileError.Fault)] = [
            ("/nowhere/ca.pem", .missing), (sound.folder.path, .isFolder),
            (cut.path, .damaged(certificate: 2)),
        ]
        for (path, fault) in cases {
            #expect(throws: CertificateFileError(path: path, source: "SSL_CERT_FILE", fault: fault)) {
                _ = try CertificateAuthorities(own: nil, environment: ["SSL_CERT_FILE": path])
            }
        }
        for (text, fault) in [
            ("no certificate", CertificateFileError.Fault.noCertificate), ("", .noCertificate),
            (broken, .damaged(certificate: 1)),
        ] {
            let file = try TemporaryFile(text)
            let error = CertificateFileError(path: file.path, source: "ca-file", fault: fault)
            #expect(throws: error) { _ = try CertificateAuthorities(own: (file.path, "ca-file"), environment: [:]) }
            #expect(error.description.contains("ca-file") && error.description.contains(file.path))
        }
        let several = try CertificateAuthorities(
            own: nil, environment: ["SSL_CERT_DIR": "/nowhere:\(sound.folder.path):"])
        #expect(several.folders == [sound.folder.path])
        #expect(throws: CertificateFileError(path: "/nowhere", source: "SSL_CERT_DIR", fault: .missing)) {
            _ = try CertificateAuthorities(own: nil, environment: ["SSL_CERT_DIR": "/nowhere:/nor/here"])
        }
        #expect(throws: CertificateFileError(path: sound.path, source: "SSL_CERT_DIR", fault: .isFile)) {
            _ = try CertificateAuthorities(own: nil, environment: ["SSL_CERT_DIR": sound.path])
        }
    }
}
