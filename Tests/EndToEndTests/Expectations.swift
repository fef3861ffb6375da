import Foundation
import Testing

/// The exit codes of the command line (sysexits).
let failureCodes: Set<Int32> = [64, 65, 69, 70, 73, 74, 75, 77]

/// One clear line on standard error, the right exit code, nothing on standard output that looks like success.
///
/// - Parameters:
///   - code: The exit code; nil for any that stands for a failure.
///   - words: What the line must name, whatever its case.
func expectFailure(
    _ outcome: Outcome, _ code: Int32? = nil, mentions words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(!outcome.wasSignalled, "\(outcome)", sourceLocation: sourceLocation)
    if let code {
        #expect(outcome.status == code, "\(outcome)", sourceLocation: sourceLocation)
    } else {
        #expect(failureCodes.contains(outcome.status), "\(outcome)", sourceLocation: sourceLocation)
    }
    #expect(outcome.errorLines.count == 1, "\(outcome)", sourceLocation: sourceLocation)
    for word in words {
        #expect(
            outcome.errors.localizedCaseInsensitiveContains(word), "no '\(word)' in: \(outcome)",
            sourceLocation: sourceLocation)
    }
}
