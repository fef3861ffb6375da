import Foundation
import Testing
import TrendyDomain
import TrendyFaultProxy

/// How devices and server speak with each other.
enum Way: String, Sendable, CaseIterable {
    /// By the exchange.
    case exchange
    /// By the routes of the first API: the server has no other.
    case routes

    /// The routes that the server must not have for that.
    var hidden: FaultPlan.Match? { self == .routes ? Self.exchangeRoute : nil }

    static let exchangeRoute = FaultPlan.Match("POST", "/api/v1/sync$")
}

/// A server with a proxy before it, and devices of one account that know the proxy alone.
final class FaultyWorld {
    let data: Folder
    let proxy: FaultProxy
    private(set) var server: ServerProcess
    private let credentials: String

    private init(data: Folder, proxy: FaultProxy, server: ServerProcess, credentials: String) {
        self.data = data
        self.proxy = proxy
        self.server = server
        self.credentials = credentials
    }

    static func start(_ way: Way = .exchange) async throws -> FaultyWorld {
        let prepared = try await PreparedWorld.of(way)
        let data = try Folder()
        try FileManager.default.copyItem(at: prepared.serverData, to: data.url.appending(path: "data"))
        let server = try await ServerProcess.start(data: data, "--no-rate-limit")
        return FaultyWorld(
            data: data, proxy: try await FaultProxy.start(before: server.port, hiding: way.hidden), server: server,
            credentials: prepared.credentials)
    }

    /// A device that is signed in, through the proxy unless another address is given.
    ///
    /// - Parameter template: The folder to begin with; nil for a device that has nothing.
    func makeDevice(at address: String? = nil, from template: URL? = nil) throws -> Device {
        let device = try Device()
        if let template {
            try FileManager.default.copyItem(at: template, to: device.home)
        } else {
            try FileManager.default.createDirectory(at: device.home, withIntermediateDirectories: true)
        }
        let file = device.home.appending(path: "credentials.json")
        let text = credentials.replacing(PreparedWorld.placeholder, with: address ?? proxy.address)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return device
    }

    /// Ends the server as a crash does, and starts it anew on the same data.
    func crashServer() async throws {
        await server.stop(SIGKILL)
        try await restartServer()
    }

    /// Does something with the folder of the server's data while no server runs, and starts one anew on it.
    func whileServerIsDown(_ body: (URL) throws -> Void) async throws {
        await server.stop(SIGKILL)
        try body(data.url.appending(path: "data"))
        try await restartServer()
    }

    /// Starts a server that has ended on the same data.
    func restartServer() async throws {
        server = try await ServerProcess.start(data: data, "--no-rate-limit")
        proxy.forward(to: server.port)
    }

    var serverData: DatabaseFile { DatabaseFile(ofServerIn: data) }

    /// Without faults all devices come to rest, and they, the server and a device that starts from nothing hold
    /// the same records; both databases are whole.
    func expectAgreement(of devices: Device..., sourceLocation: SourceLocation = #_sourceLocation) async throws {
        proxy.heal()
        for device in devices.count > 1 ? devices + devices : devices {
            let outcome = try await device.run("sync", "--json")
            #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        }
        let fresh = try makeDevice(at: server.address)
        try await fresh.sync()
        let expected = try DatabaseFile(of: fresh).records()
        for device in devices {
            let store = DatabaseFile(of: device)
            #expect(try store.queue() == [], sourceLocation: sourceLocation)
            #expect(try store.records() == expected, sourceLocation: sourceLocation)
            #expect(try store.integrity() == "ok", sourceLocation: sourceLocation)
        }
        #expect(try serverData.recordCount() == expected.count, sourceLocation: sourceLocation)
        #expect(try serverData.integrity() == "ok", sourceLocation: sourceLocation)
    }
}

/// The store of the device is no damaged file.
func expectIntact(_ device: Device, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try DatabaseFile(of: device).integrity() == "ok", sourceLocation: sourceLocation)
}
