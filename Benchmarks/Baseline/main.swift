// The least that a Swift program can do which logs something durably: it opens the database and inserts one row.
// `trendy log` is measured against it. Usage: trendy-baseline FILE

import Foundation
import GRDB

var configuration = Configuration()
configuration.busyMode = .timeout(30)
let database = try DatabaseQueue(path: CommandLine.arguments[1], configuration: configuration)
try database.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
try database.write { connection in
    try connection.execute(
        sql: "INSERT INTO baseline (id, document) VALUES (?, ?)",
        arguments: [UUID().uuidString, #"{"event_type_id":"0","timestamp":"2026-01-01T00:00:00.000Z"}"#])
}
