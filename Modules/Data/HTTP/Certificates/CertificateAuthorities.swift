public import Foundation

/// Who may vouch for a server's certificate.
public struct CertificateAuthorities: Sendable, Hashable {
    /// A PEM file in place of the system's authorities; nil for the system's.
    public var file: String?
    /// Folders in place of the system's authorities, in which OpenSSL finds them by their hashes; none for the system's.
    public var folders: [String] = []
    /// The certificates (DER) of more authorities, beside those.
    public var own: [Data] = []

    /// The system's authorities.
    public init() {}

    /// The authorities that a person names.
    ///
    /// - Parameters:
    ///   - own: A PEM file with authorities beside the others, and the setting that names it.
    ///   - environment: `SSL_CERT_FILE` names a file and `SSL_CERT_DIR` folders, separated by colons, in place of the
    ///     system's. As with OpenSSL, a folder of several need not be there.
    /// - Throws: ``CertificateFileError`` where a file or folder cannot be used.
    public init(own: (path: String, source: String)?, environment: [String: String]) throws(CertificateFileError) {
        func path(_ variable: String) -> (path: String, source: String)? {
            environment[variable].flatMap { $0.isEmpty ? nil : ($0, variable) }
        }
        if let own { self.own = try CertificateFile.certificates(at: own.path, from: own.source) }
        if let named = path("SSL_CERT_FILE") {
            _ = try CertificateFile.certificates(at: named.path, from: named.source)
            file = named.path
        }
        if let named = path("SSL_CERT_DIR") {
            let paths = named.path.split(separator: ":").map(String.init)
            folders = paths.count > 1 ? paths.filter { CertificateFile.isFolder($0) == true } : []
            if folders.isEmpty {
                folders = [try CertificateFile.folder(at: paths.first ?? named.path, from: named.source)]
            }
        }
    }
}

/// Why a file or folder with the certificates of authorities cannot be used.
public struct CertificateFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    public enum Fault: Sendable, Hashable {
        /// Nothing is there.
        case missing
        /// It cannot be read.
        case unreadable
        /// It is a folder.
        case isFolder
        /// It is a file, not a folder.
        case isFile
        /// It holds no certificate in the form of PEM.
        case noCertificate
        /// One of its certificates, counted from 1, is damaged.
        case damaged(certificate: Int)
    }

    /// Where it is.
    public var path: String
    /// The setting or variable that names it.
    public var source: String
    /// What is wrong with it.
    public var fault: Fault

    /// What is wrong with the file, and what to do.
    public var reason: String {
        switch fault {
        case .missing: "there is no file \(path); check the path"
        case .unreadable: "\(path) cannot be read; check its permissions"
        case .isFolder: "\(path) is a folder; name a file in it"
        case .isFile: "\(path) is a file; name its folder"
        case .noCertificate:
            "\(path) holds no certificate in PEM, which begins with '-----BEGIN CERTIFICATE-----'; name another file"
        case .damaged(let number): "certificate \(number) in \(path) is damaged; copy the file again"
        }
    }

    /// What cannot be used, why, and what to do.
    public var description: String { "the certificates that \(source) names cannot be used: \(reason)" }
}
