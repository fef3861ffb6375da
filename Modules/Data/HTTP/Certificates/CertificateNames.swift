/// The issuer and the subject of a certificate, as their DER (RFC 5280, section 4.1).
struct CertificateNames {
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>

    /// Whether the certificate is signed with its own key, as far as its names tell.
    var isSelfSigned: Bool { issuer.elementsEqual(subject) }

    /// Nil where the bytes are no certificate.
    init?(der: [UInt8]) {
        guard let certificate = Element(der[...]), let signed = Element(certificate.content) else { return nil }
        var fields: [Element] = []
        var rest = signed.content
        while fields.count < 6, let field = Element(rest) {
            // The version is left out where it is the first.
            if field.tag != Self.version { fields.append(field) }
            rest = rest[field.end...]
        }
        // Serial number, algorithm, issuer, validity, subject.
        guard fields.count >= 5 else { return nil }
        issuer = fields[2].content
        subject = fields[4].content
    }

    private static let version: UInt8 = 0xA0
}

/// An element of DER: a tag, a length and that many bytes.
private struct Element {
    let tag: UInt8
    let content: ArraySlice<UInt8>
    /// Where the next element begins.
    var end: Int { content.endIndex }

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 2 else { return nil }
        tag = bytes[bytes.startIndex]
        var place = bytes.startIndex + 2
        var length = Int(bytes[place - 1])
        if length > 0x80 {
            // The length itself has so many bytes.
            let size = length - 0x80
            guard size <= 4, bytes.endIndex - place >= size else { return nil }
            length = bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
            place += size
        }
        guard bytes.endIndex - place >= length else { return nil }
        content = bytes[place..<place + length]
    }
}
