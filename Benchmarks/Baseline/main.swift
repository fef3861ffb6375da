// The least that programs can do which Trendy's are measured against.
//
//     trendy-baseline FILE         opens a database and inserts one row: what `trendy log` cannot do without
//     trendy-baseline copy A B     puts the rows of store A that B lacks into B: what an import cannot do without

import Foundation
import GRDB
import GRDBSQLite

let arguments = CommandLine.arguments
if arguments.count == 4, arguments[1] == "copy" {
    try StoreRows(source: arguments[2], target: arguments[3]).copy()
} else {
    try insertOne(arguments[1])
}

func insertOne(_ file: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let database = try DatabaseQueue(path: file, configuration: configuration)
    try database.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try database.write { connection in
        try connection.execute(
            sql: "INSERT INTO baseline (id, document) VALUES (?, ?)",
            arguments: [UUID().uuidString, #"{"event_type_id":"0","timestamp":"2026-01-01T00:00:00.000Z"}"#])
    }
}
