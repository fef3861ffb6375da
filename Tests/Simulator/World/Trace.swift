import Foundation

/// What happened in a history, line by line: the same seed gives the same lines.
final class Trace {
    private(set) var lines: [String] = []

    func note(_ line: @autoclosure () -> String) { lines.append(line()) }

    /// A short name for content: FNV-1a, 64 bits.
    static func digest(_ data: some Collection<UInt8>) -> String {
        // Byte by byte through an iterator of `Data` takes many times as long.
        data.withContiguousStorageIfAvailable { hash($0) } ?? hash(data)
    }

    private static func hash(_ data: some Collection<UInt8>) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
