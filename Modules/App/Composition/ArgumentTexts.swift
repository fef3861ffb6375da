import TrendyTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The words of the command line as bytes.
///
/// Swift's `CommandLine.arguments` replaces invalid UTF-8, and the replacement characters would be stored.
enum ArgumentTexts {
    /// The bytes of the words behind the program's name.
    static var bytes: [[UInt8]] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { place in
            CommandLine.unsafeArgv[place].map { word in
                Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
            }
        }
    }

    /// The words as text.
    ///
    /// - Throws: ``CommandFailure`` for the first one that is not UTF-8.
    @MainActor
    static func texts(_ words: [[UInt8]]) throws(CommandFailure) -> [String] {
        // Completion stores nothing, so invalid UTF-8 is harmless.
        let isCompletion = words.first.map { $0.elementsEqual(CompletionAnswer.command.utf8) } ?? false
        var texts: [String] = []
        for (place, word) in words.enumerated() {
            if let text = String(validating: word, as: UTF8.self) {
                texts.append(text)
            } else if isCompletion {
                texts.append(String(decoding: word, as: UTF8.self))
            } else {
                let option = texts.last.map { $0.hasPrefix("-") ? ", behind \($0)," : "" } ?? ""
                throw .usage(
                    "argument \(place + 1)\(option) is not UTF-8: '\(String(decoding: word, as: UTF8.self))'; nothing was "
                        + "done; set the terminal to UTF-8, or \(StandardInput.conversion)")
            }
        }
        return texts
    }
}
