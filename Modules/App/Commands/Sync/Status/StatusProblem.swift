/// Something that is wrong or waits for the person, and the command that helps.
struct StatusProblem: Encodable {
    /// What it is, in one stable word for programs.
    enum Kind: String, Encodable {
        /// Nobody is signed in, and changes wait.
        case signedOut = "signed_out"
        /// The file of the sign-in cannot be read.
        case signIn = "sign_in"
        /// The latest sync failed.
        case sync
        /// The server refused changes.
        case refused
        /// Both sides changed the same.
        case conflicts
        /// The server sent what cannot be used.
        case quarantine
    }

    var kind: Kind
    /// What is wrong.
    var message: String
    /// What to type; nil where nothing helps but waiting.
    var command: String?

    /// The label of its line.
    var label: String {
        switch kind {
        case .signedOut, .signIn: "sign-in"
        case .sync: "trouble"
        case .refused: "refused"
        case .conflicts: "conflicts"
        case .quarantine: "set aside"
        }
    }
}
