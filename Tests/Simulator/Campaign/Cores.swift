import Dispatch
import Foundation

extension DispatchQueue {
    /// How many threads run at once here.
    static var activeCores: Int { ProcessInfo.processInfo.activeProcessorCount }
}
