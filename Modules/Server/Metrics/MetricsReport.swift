/// Everything that `GET /metrics` tells.
struct MetricsReport: Sendable {
    let metrics: ServerMetrics
    let blocking: BlockingWork
    let live: LiveHub
    let store: any ServerStore
    let version: String

    var text: String {
        var text = MetricsText()
        text.gauge(
            "trendy_build_info", "The version that runs; always 1.",
            [(labels: ["version": version] as MetricsText.Labels, value: 1)])
        addRequests(to: &text)
        addWrites(to: &text)
        addConnections(to: &text)
        return text.text
    }

    private func addRequests(to text: inout MetricsText) {
        let requests = metrics.requests
        let sorted = requests.durations.sorted {
            ($0.key.route, $0.key.method, $0.key.statusClass) < ($1.key.route, $1.key.method, $1.key.statusClass)
        }
        text.histogram(
            "trendy_http_request_duration_seconds", "From the head of a request to the head of its answer.",
            sorted.map { key, histogram in
                (
                    labels: ["method": key.method, "route": key.route, "status": "\(key.statusClass)xx"]
                        as MetricsText.Labels,
                    value: histogram
                )
            })
        text.gauge("trendy_http_requests_under_way", "Requests that have no answer yet.", requests.underWay)
        text.counter(
            "trendy_http_rate_limited_total", "Requests that were refused because there were too many.",
            requests.rateLimited)
    }

    private func addWrites(to text: inout MetricsText) {
        let writes = metrics.writes
        text.gauge("trendy_write_queue_length", "Writes that wait for their turn.", blocking.waitingWrites)
        text.histogram(
            "trendy_write_queue_wait_seconds", "How long writes have waited for their turn.",
            [(labels: [:] as MetricsText.Labels, value: writes.waits)])
        text.counter("trendy_writes_total", "Writes that had their turn.", writes.writes)
        text.counter(
            "trendy_write_transactions_total",
            "Transactions that wrote. Each is one wait for the disk, which several writes may share.",
            writes.transactions)
    }

    private func addConnections(to text: inout MetricsText) {
        let connections = metrics.connections
        text.gauge("trendy_connections_open", "Connections of clients that are served.", connections.open)
        text.counter(
            "trendy_connections_refused_total", "Connections that were refused because there were too many.",
            connections.refused)
        text.gauge("trendy_live_watchers", "Devices that wait for news of their account.", live.watchCount)
        let pools = store.connections.map { (labels: ["pool": $0.purpose] as MetricsText.Labels, $0.size, $0.usage) }
        text.gauge(
            "trendy_database_connections_max", "Connections to the database that there may be.",
            pools.map { (labels: $0.labels, value: $0.1) })
        text.gauge(
            "trendy_database_connections_in_use", "Connections to the database that are in use.",
            pools.map { (labels: $0.labels, value: $0.2.inUse) })
        text.gauge(
            "trendy_database_connections_waiting", "Work that waits for a connection to the database.",
            pools.map { (labels: $0.labels, value: $0.2.waiting) })
        text.counter(
            "trendy_database_connection_waits_total", "Work that had to wait for a connection to the database.",
            pools.map { (labels: $0.labels, value: $0.2.waits) })
    }
}
