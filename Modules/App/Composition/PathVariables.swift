/// The environment variables of Trendy that hold paths. A process that works in another folder needs them absolute.
enum PathVariables {
    /// Those with one path each, which may have a colon in it.
    private static let single = ["TRENDY_HOME", "TRENDY_CA_FILE", "SSL_CERT_FILE"]
    /// Those with several paths, separated by colons.
    private static let lists = ["SSL_CERT_DIR"]

    static let names = single + lists

    /// The value of a variable with absolute paths.
    ///
    /// - Parameter folder: The base of relative paths.
    static func absolute(_ value: String, of name: String, in folder: String) -> String {
        paths(value, of: name).map { $0.hasPrefix("/") ? $0 : ProgramFile.normalized("\(folder)/\($0)") }
            .joined(separator: ":")
    }

    /// Whether each path in the value of a variable is absolute.
    static func isAbsolute(_ value: String, of name: String) -> Bool {
        paths(value, of: name).allSatisfy { $0.hasPrefix("/") }
    }

    private static func paths(_ value: String, of name: String) -> [String] {
        if lists.contains(name) { return value.split(separator: ":").map(String.init) }
        return value.isEmpty ? [] : [value]
    }
}
