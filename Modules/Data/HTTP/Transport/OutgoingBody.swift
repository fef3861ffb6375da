#if canImport(AsyncHTTPClient)
    import Foundation
    import NIOCore
    import Synchronization

    /// The body of a request, which knows whether it was asked for.
    ///
    /// The client asks for it when it has a connection, and the head of the request is written. As long as it has not, the
    /// request has not left: whatever went wrong (the name, the connection, TLS, a proxy), the server carried nothing out.
    final class OutgoingBody: AsyncSequence, Sendable {
        private let bytes: ByteBuffer
        private let isAskedFor = Mutex(false)

        init(_ body: Data) { bytes = ByteBuffer(bytes: body) }

        var count: Int { bytes.readableBytes }
        var hasLeft: Bool { isAskedFor.withLock { $0 } }

        struct Iterator: AsyncIteratorProtocol {
            fileprivate var rest: ByteBuffer?

            mutating func next() async -> ByteBuffer? {
                defer { rest = nil }
                return rest
            }
        }

        func makeAsyncIterator() -> Iterator {
            isAskedFor.withLock { $0 = true }
            return Iterator(rest: bytes)
        }
    }
#endif
