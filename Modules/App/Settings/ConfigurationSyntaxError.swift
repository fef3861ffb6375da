/// Says where a configuration file is no JSON object.
struct ConfigurationSyntaxError: Error, Hashable {
    /// The line, from 1 on.
    let line: Int
    /// What is wrong there.
    let reason: String

    init(_ reason: String, at offset: Int, in bytes: [UInt8]) {
        self.reason = reason
        line = 1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}
