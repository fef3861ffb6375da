import Foundation
import Testing
import TrendyFaultProxy

/// An account and a device with work waiting, made once: sign-ups are slow on purpose, and copies serve as well.
struct PreparedWorld {
    /// Stands for the server's address in the credentials.
    static let placeholder = "http://the-server"

    static func of(_ way: Way) async throws -> PreparedWorld {
        switch way {
        case .exchange: try await exchange.value
        case .routes: try await routes.value
        }
    }

    private static let exchange = Task { try await make(.exchange) }
    private static let routes = Task { try await make(.routes) }

    private static func make(_ way: Way) async throws -> PreparedWorld {
        let folder = try Folder()
        let server = try await ServerProcess.start(data: folder)
        let proxy = try await FaultProxy.start(before: server.port, hiding: way.hidden)
        let device = try Device()
        try await device.signUp(at: proxy.address)
        try await device.importNotes(["kept", "plain", "doomed"], type: "run")
        try await device.sync()
        await server.stop(SIGTERM)
        let store = DatabaseFile(of: device)
        let id = { (note: String) in try #require(try store.eventId(note: note)) }
        let prepared = PreparedWorld(
            folder: folder, device: device, credentials: try credentials(of: device, at: proxy.address),
            kept: try id("kept"), edited: try id("plain"), doomed: try id("doomed"))
        try await device.done("edit", prepared.edited, "--note", "edited")
        try await device.done("rm", prepared.doomed)
        try await device.importNotes((0..<3).map { "new \($0)" }, type: "walk")
        return prepared
    }

    private let folder: Folder
    /// A device with three synced events and a change of every kind that waits.
    let device: Device
    /// The credentials file, with ``placeholder`` for the server.
    let credentials: String
    let kept: String
    let edited: String
    let doomed: String

    /// The data of the server, which has ended.
    var serverData: URL { folder.url.appending(path: "data") }

    private static func credentials(of device: Device, at address: String) throws -> String {
        let file = device.home.appending(path: "credentials.json")
        return try String(contentsOf: file, encoding: .utf8).replacing(address, with: placeholder)
    }
}
