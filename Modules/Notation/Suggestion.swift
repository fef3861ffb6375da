/// Suggests names for misspelt input.
package enum Suggestion {
    /// The candidate that is most similar to a text; nil if none is similar.
    ///
    /// Two texts are similar if one begins with the other, or at most a third of the letters differ.
    package static func nearest(to text: String, among candidates: [String]) -> String? {
        let wanted = Array(text.lowercased())
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased())
            let isPrefix =
                min(wanted.count, letters.count) >= 2 && (letters.starts(with: wanted) || wanted.starts(with: letters))
            let distance = isPrefix ? 1 : editDistance(wanted, letters)
            let limit = max(wanted.count, letters.count) / 3
            if distance <= limit, best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// The edit distance: insertions, deletions, replacements and swaps of neighbours.
    static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let same = left[row] == right[column]
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
