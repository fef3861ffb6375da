/// The environment variables of Trendy that hold paths. A process that works in another folder needs them absolute.
enum PathVariables {
    static let names = ["TRENDY_HOME", "TRENDY_CA_FILE", "SSL_CERT_FILE", "SSL_CERT_DIR"]

    /// The paths of a variable, which are separated by colons where there are several, from a working folder.
    static func absolute(_ paths: String, in folder: String) -> String {
        paths.split(separator: ":").map { $0.hasPrefix("/") ? String($0) : ProgramFile.normalized("\(folder)/\($0)") }
            .joined(separator: ":")
    }

    /// Whether each path of a variable is absolute.
    static func isAbsolute(_ paths: String) -> Bool { paths.split(separator: ":").allSatisfy { $0.hasPrefix("/") } }
}
