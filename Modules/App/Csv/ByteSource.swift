#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Gives bytes in pieces; an empty piece is the end.
protocol ByteSource {
    mutating func next() throws -> [UInt8]
}

/// The bytes of a file or a pipe.
struct DescriptorSource: ByteSource {
    let descriptor: Int32
    let name: String
    static let pieceSize = 1 << 18

    func next() throws -> [UInt8] {
        while true {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, used in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                used = max(0, count)
            }
            if count >= 0 { return piece }
            if errno != EINTR { throw FileFailure.reading(name, errno) }
        }
    }
}

/// Bytes that are in memory already, given in pieces of a chosen size.
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
