import ArgumentParser
import Foundation
import ShoppingBackend
import TrendyServer

@main
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shopping-server", abstract: "Keep the shopping lists of many people.")

    @Option(help: "The port; 0 for a free one.")
    var port = 8080

    @Option(help: "The folder of the server's data; made where there is none.")
    var data: String

    func run() async throws {
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        let server = try ShoppingServer.make(ServerConfiguration(dataDirectory: folder, port: port))
        try await server.run { port in
            FileHandle.standardOutput.write(Data("listening on http://127.0.0.1:\(port)\n".utf8))
        }
    }
}
