/// Numbers in the text format of Prometheus, version 0.0.4.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/ says how it is written.
struct MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    typealias Labels = KeyValuePairs<String, String>

    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ samples: [(labels: Labels, value: Int)]) {
        append(name, "gauge", help, samples)
    }

    mutating func counter(_ name: String, _ help: String, _ samples: [(labels: Labels, value: Int)]) {
        append(name, "counter", help, samples)
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        gauge(name, help, [(labels: [:] as Labels, value: value)])
    }
    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        counter(name, help, [(labels: [:] as Labels, value: value)])
    }

    mutating func histogram(_ name: String, _ help: String, _ samples: [(labels: Labels, value: Histogram)]) {
        appendHead(name, "histogram", help)
        for (labels, histogram) in samples {
            var total = 0
            for (index, count) in histogram.counts.enumerated() {
                total += count
                let bound = index < Histogram.bounds.count ? Self.number(Histogram.bounds[index]) : "+Inf"
                appendSample("\(name)_bucket", Array(labels) + [("le", bound)], "\(total)")
            }
            appendSample("\(name)_sum", Array(labels), Self.number(histogram.sum))
            appendSample("\(name)_count", Array(labels), "\(total)")
        }
    }

    private mutating func append(
        _ name: String, _ type: String, _ help: String, _ samples: [(labels: Labels, value: Int)]
    ) {
        appendHead(name, type, help)
        for (labels, value) in samples { appendSample(name, Array(labels), "\(value)") }
    }

    private mutating func appendHead(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func appendSample(_ name: String, _ labels: [(key: String, value: String)], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }
}
