/// A source of bytes in pieces; an empty piece is the end.
package protocol ByteSource {
    mutating func next() throws -> [UInt8]
}

/// A file that can be read several times.
@MainActor
package protocol RereadableFile {
    associatedtype Bytes: ByteSource

    /// The name for messages.
    nonisolated var name: String { get }
    /// The name without folders and extension; nil if it has none.
    nonisolated var stem: String? { get }
    /// The bytes of the file from its start. Only one source of a file can be read at a time.
    func source() throws -> Bytes
}

/// Bytes in memory, in pieces of a chosen size.
struct MemorySource: ByteSource {
    private var rest: ArraySlice<UInt8>
    private let pieceSize: Int

    init(_ bytes: [UInt8], pieceSize: Int = 1 << 18) {
        rest = bytes[...]
        self.pieceSize = pieceSize
    }

    mutating func next() -> [UInt8] {
        let piece = rest.prefix(pieceSize)
        rest = rest.dropFirst(piece.count)
        return Array(piece)
    }
}

/// A type-erased source of bytes.
struct AnyByteSource: ByteSource {
    private var source: any ByteSource

    init(_ source: any ByteSource) { self.source = source }

    mutating func next() throws -> [UInt8] { try source.next() }
}
