import Foundation

#if canImport(NIOSSL)
    import NIOSSL
#else
    import Security
#endif

/// Reads the files in which people keep the certificates of authorities.
enum CertificateFile {
    /// The certificates of a PEM file, as DER.
    ///
    /// - Parameter source: The setting or variable that names the file.
    static func certificates(at path: String, from source: String) throws(CertificateFileError) -> [Data] {
        func error(_ fault: CertificateFileError.Fault) -> CertificateFileError {
            CertificateFileError(path: path, source: source, fault: fault)
        }
        switch isFolder(path) {
        case nil: throw error(.missing)
        case true?: throw error(.isFolder)
        case false?: break
        }
        guard let text = FileManager.default.contents(atPath: path) else { throw error(.unreadable) }
        let blocks = blocks(String(decoding: text, as: UTF8.self))
        guard !blocks.isEmpty else { throw error(.noCertificate) }
        var certificates: [Data] = []
        for (place, block) in blocks.enumerated() {
            guard let certificate = Data(base64Encoded: block, options: .ignoreUnknownCharacters),
                isCertificate(certificate)
            else { throw error(.damaged(certificate: place + 1)) }
            certificates.append(certificate)
        }
        return certificates
    }

    /// The path of a folder that is there.
    static func folder(at path: String, from source: String) throws(CertificateFileError) -> String {
        switch isFolder(path) {
        case nil: throw CertificateFileError(path: path, source: source, fault: .missing)
        case false?: throw CertificateFileError(path: path, source: source, fault: .isFile)
        case true?: return path
        }
    }

    /// Whether a folder is there; nil where nothing is.
    static func isFolder(_ path: String) -> Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }

    /// What stands between the lines that begin and end a certificate (RFC 7468, section 5).
    private static func blocks(_ text: String) -> [String] {
        var blocks: [String] = []
        var open: String?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line.drop(while: \.isWhitespace) {
            case let mark where mark.hasPrefix("-----BEGIN CERTIFICATE-----"): open = ""
            case let mark where mark.hasPrefix("-----END CERTIFICATE-----"):
                if let block = open { blocks.append(block) }
                open = nil
            case let content: open?.append(contentsOf: content)
            }
        }
        // A file that was cut off has a certificate without an end, which is damaged.
        if let block = open { blocks.append(block) }
        return blocks
    }

    private static func isCertificate(_ der: Data) -> Bool {
        #if canImport(NIOSSL)
            (try? NIOSSLCertificate(bytes: Array(der), format: .der)) != nil
        #else
            SecCertificateCreateWithData(nil, der as CFData) != nil
        #endif
    }
}
