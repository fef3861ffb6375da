/// Keeps claims rare when many questions are asked of the same data.
///
/// Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
/// multiple testing", Journal of the Royal Statistical Society B 57 (1995).
enum FalseDiscovery {
    /// The candidates that may be claimed, the most significant first: of them at most the given part is false, on
    /// average; and where there is nothing to find, the chance that anything is claimed is at most that part.
    static func claims<Candidate>(
        _ candidates: [Candidate], rate: Double, pValue: (Candidate) -> Double
    ) -> [Candidate] {
        let sorted = candidates.sorted { pValue($0) < pValue($1) }
        let step = rate / Double(max(1, sorted.count))
        let last = sorted.indices.last { pValue(sorted[$0]) <= step * Double($0 + 1) }
        return last.map { Array(sorted[...$0]) } ?? []
    }
}
