import Foundation
import NIOCore
import NIOPosix

/// One connection of a client, with its requests one after the other.
struct ProxyConnection: Sendable {
    typealias Stream = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    typealias Writer = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// The exchange is over, and the connection with it.
    private struct HangUp: Error {
        var isReset: Bool
    }

    let proxy: FaultProxy
    let client: Stream

    /// Serves requests until either side is done. Trouble with the connection is what the proxy is for: it ends it.
    func serve() async {
        do {
            try await client.executeThenClose { inbound, outbound in
                var reader = MessageReader(inbound)
                do {
                    while let request = try await reader.request() {
                        try await exchange(request, outbound)
                    }
                } catch let end as HangUp {
                    if end.isReset { await reset() }
                }
            }
        } catch {}
    }

    private func exchange(_ request: Message, _ outbound: Writer) async throws {
        let (method, fault) = proxy.admit(request)
        defer { proxy.finish() }
        switch fault {
        case .resetBeforeRequest:
            throw HangUp(isReset: true)
        case .answer(let reply):
            try await send(reply.bytes, outbound)
        case .giganticBody(let count):
            try await sendFiller(
                declaring: "Content-Length: \(count)", frame: { $0 }, count: count, outbound)
        case .endlessBody:
            let frame: @Sendable (Data) -> Data = { piece in
                Data("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Data("\r\n".utf8)
            }
            try await sendFiller(declaring: "Transfer-Encoding: chunked", frame: frame, count: .max, outbound)
        case .delayRequest(let time):
            try await RealTime.pause(time)
            try await send(try await forward(request, method).raw, outbound)
        default:
            try await pass(try await forward(request, method), fault, outbound)
        }
    }

    /// Gives the client the server's answer, as the fault lets it through.
    private func pass(_ answer: Message, _ fault: Fault?, _ outbound: Writer) async throws {
        switch fault {
        case .loseAnswer:
            throw HangUp(isReset: true)
        case .truncateAnswer(let count):
            try await send(answer.raw.prefix(count), outbound)
            throw HangUp(isReset: true)
        case .endAnswer(let count):
            try await send(answer.raw.prefix(count), outbound)
            throw HangUp(isReset: false)
        case .delayAnswer(let time):
            try await RealTime.pause(time)
            try await send(answer.raw, outbound)
        case .holdAnswer:
            await proxy.gate.wait()
            try await send(answer.raw, outbound)
        case .trickle(let count, let pause):
            for start in stride(from: 0, to: answer.raw.count, by: count) {
                try await send(answer.raw[start..<min(start + count, answer.raw.count)], outbound)
                try await RealTime.pause(pause)
            }
        case .rewriteBody(_, let change):
            try await send(answer.bytes(body: change(answer.body)), outbound)
        case .relabel(let type):
            try await send(answer.bytes(body: answer.body, contentType: type), outbound)
        case .answerAfterwards(let reply):
            try await send(reply.bytes, outbound)
        case nil, .resetBeforeRequest, .answer, .giganticBody, .endlessBody, .delayRequest:
            try await send(answer.raw, outbound)
        }
    }

    /// Brings the request to the server on a connection of its own and waits for the whole answer.
    private func forward(_ request: Message, _ method: String) async throws -> Message {
        guard let port = proxy.upstream else {
            return Message(start: "", headers: [], body: Data(), raw: Reply(status: "502 Bad Gateway").bytes)
        }
        let server: Stream
        do {
            server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture { try Stream(wrappingChannelSynchronously: channel) }
                }
        } catch {
            throw HangUp(isReset: true)
        }
        let answer = try? await server.executeThenClose { inbound, outbound in
            try await send(request.raw, outbound)
            var reader = MessageReader(inbound)
            return try await reader.answer(to: method)
        }
        // A server that died within its answer: what the client sees is a broken connection.
        guard let answer else { throw HangUp(isReset: true) }
        return answer
    }

    private func send(_ data: Data, _ outbound: Writer) async throws {
        try await outbound.write(ByteBuffer(bytes: data))
    }

    /// A body that is large for nothing, in pieces, until it is complete or the client has had enough.
    private func sendFiller(
        declaring header: String, frame: @Sendable (Data) -> Data, count: Int, _ outbound: Writer
    ) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(header)\r\n\r\n"
        try await send(Data(head.utf8), outbound)
        let piece = Data(repeating: UInt8(ascii: " "), count: 1 << 16)
        var left = count
        while left > 0 {
            try await send(frame(piece.prefix(left)), outbound)
            left -= min(left, piece.count)
        }
    }

    /// Closes the connection so that the client sees a reset, and not an end.
    private func reset() async {
        if let options = client.channel as? any SocketOptionProvider {
            try? await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try? await client.channel.close()
    }
}
