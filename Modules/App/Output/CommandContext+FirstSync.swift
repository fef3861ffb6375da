import TrendyData
import TrendyDomain
import TrendySync

extension CommandContext {
    /// Says, where there is nothing to show, that nothing of what the account has was fetched to this device yet.
    func remarkBeforeFirstSync() throws {
        // Whatever is wrong with the sign-in is no trouble of who only looks.
        guard let signIn = try? SignIn.load(root.configuration), signIn.current != nil,
            try !root.engine.position().hasReceivedAll
        else { return }
        let server = signIn.server.map { " from \($0)" } ?? ""
        try output.flush()
        try remark("nothing was fetched\(server) yet; run 'trendy sync'")
    }
}
