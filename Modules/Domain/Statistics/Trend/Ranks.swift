/// The places of values in their order, from 1; equal values share the mean of their places.
struct Ranks {
    /// The rank of each value.
    let ranks: [Double]
    /// How many values each group of equal ones has, for groups of two and more.
    let tieSizes: [Int]

    init(_ values: [Double]) {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var tieSizes: [Int] = []
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            for index in order[start..<end] { ranks[index] = Double(start + end + 1) / 2 }
            if end - start > 1 { tieSizes.append(end - start) }
            start = end
        }
        self.ranks = ranks
        self.tieSizes = tieSizes
    }
}
