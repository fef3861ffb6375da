import Testing

@Suite("What a person is asked on a terminal", .fewAtOnce)
struct PromptTests {
    @Test("a question waits for the answer, and only yes goes on", .timeLimit(.minutes(5)))
    func confirmation() async throws {
        let device = try Device()
        try await device.log("tea", "--create-type")
        let refusal = try device.terminal("type", "rm", "tea")
        #expect(await refusal.waits(for: "Continue? [y/N] "))
        refusal.type("n\n")
        #expect(await refusal.ended() == 1)
        #expect(refusal.shown.contains("nothing was changed"))
        #expect(try await device.types().count == 1)
        let consent = try device.terminal("type", "rm", "tea")
        #expect(await consent.waits(for: "Continue? [y/N] "))
        consent.type("y\n")
        #expect(await consent.ended() == 0)
        #expect(try await device.types().isEmpty)
    }

    @Test("the end of the input is no consent, and is told on a line of its own", .timeLimit(.minutes(5)))
    func endOfInput() async throws {
        let device = try Device()
        try await device.log("tea", "--create-type")
        let terminal = try device.terminal("type", "rm", "tea")
        #expect(await terminal.waits(for: "Continue? [y/N] "))
        terminal.type("\u{4}")
        #expect(await terminal.ended() == 1)
        #expect(terminal.shown.contains("[y/N] \r\ntrendy: nothing was changed"), "\(terminal.shown)")
    }

    @Test("a password is not shown while it is typed", .timeLimit(.minutes(5)))
    func password() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let device = try Device()
        let terminal = try device.terminal("signup", "--server", server.address)
        #expect(await terminal.waits(for: "E-mail: "))
        terminal.type("ann@example.org\n")
        #expect(await terminal.waits(for: "Password: "))
        terminal.type("a secret that nobody sees\n")
        #expect(await terminal.waits(for: "Again: "))
        terminal.type("a secret that nobody sees\n")
        #expect(await terminal.ended() == 0)
        #expect(terminal.shown.contains("signed in at \(server.address)"))
        #expect(terminal.shown.contains("ann@example.org\r\n") && !terminal.shown.contains("secret"))
    }

    @Test("a password is not shown where a shell had the terminal meanwhile", .timeLimit(.minutes(5)))
    func stopped() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let device = try Device()
        let terminal = try device.terminal("signup", "--server", server.address, "--email", "ann@example.org")
        #expect(await terminal.waits(for: "Password: "))
        terminal.echo()
        #expect(await terminal.waits(for: "Password: Password: "))
        for _ in 0..<2 {
            terminal.type("a secret that nobody sees\n")
            guard await terminal.waits(for: "Again: ") else { break }
        }
        #expect(await terminal.ended() == 0)
        #expect(!terminal.shown.contains("secret"))
    }

    @Test("log - says what to type, and how it ends", .timeLimit(.minutes(5)))
    func lines() async throws {
        let device = try Device()
        try await device.log("tea", "--create-type")
        let terminal = try device.terminal("log", "-")
        #expect(await terminal.waits(for: "Ctrl-D logs all lines, Ctrl-C none"))
        terminal.type("tea --note hot\n\u{4}")
        #expect(await terminal.ended() == 0)
        #expect(terminal.shown.contains("logged tea"))
    }

    @Test("Ctrl-C at a question ends the command, which says that it changed nothing", .timeLimit(.minutes(5)))
    func interrupted() async throws {
        let device = try Device()
        try await device.log("tea", "--create-type")
        // At once, and often: what listens has to be there before the question is.
        for _ in 0..<12 {
            let terminal = try device.terminal("type", "rm", "tea")
            #expect(await terminal.waits(for: "Continue? [y/N] "))
            terminal.type("\u{3}")
            #expect(await terminal.ended() == 130)
            #expect(terminal.shown.contains("trendy: interrupted: nothing was changed"), "\(terminal.shown)")
        }
        #expect(try await device.types().count == 1)
    }

    @Test("Ctrl-C at a password ends the program too, also after another question", .timeLimit(.minutes(5)))
    func interruptedPassword() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let terminal = try Device().terminal("signup", "--server", server.address)
        #expect(await terminal.waits(for: "E-mail: "))
        terminal.type("ann@example.org\n")
        #expect(await terminal.waits(for: "Password: "))
        terminal.type("\u{3}")
        #expect(await terminal.ended() == 130)
    }
}
