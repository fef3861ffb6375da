/// What the columns of files are called that hold what an import needs.
enum ColumnRoles {
    /// The names that columns have for what they hold, in English and in German.
    static let names = [
        "time": [
            "timestamp", "datetime", "dateandtime", "start", "started", "startedat", "starttime", "startdate",
            "startdatetime", "begin", "when", "at", "occurredat", "loggedat", "time", "beginn", "zeitpunkt", "zeit",
        ],
        // When it was written down, where nothing says when it was.
        "written": ["createdat", "created"],
        "day": ["date", "day", "fulldate", "startdate", "startday", "datum"],
        // Of the time of day at which it began.
        "began": ["starttime", "start", "begin", "beginn", "started", "startedat", "startzeit", "von", "from"],
        "clock": ["time", "clock", "timeofday", "hour", "starttime", "uhrzeit", "zeit"],
        "type": [
            "eventtype", "type", "event", "habit", "activity", "category", "kind", "what", "name", "project", "title",
            "task", "label", "typ", "art", "aktivität", "aktivitaet", "tätigkeit", "taetigkeit",
            "projekt",
        ],
        "until": [
            "enddate", "end", "endtime", "enddatetime", "until", "stop", "stopped", "ended", "endedat", "finish", "to",
            "ende", "endzeit", "bis",
        ],
        "id": ["id", "uid", "uuid", "guid", "eventid", "externalid"],
        "allday": ["isallday", "allday", "alldayevent"],
        "note": [
            "notes", "note", "comment", "comments", "remark", "remarks", "description", "memo", "details", "text",
            "notiz", "notizen", "bemerkung", "bemerkungen", "kommentar",
        ],
        "location": ["locationname", "location", "place", "where", "venue", "ort"],
        "lat": ["locationlatitude", "latitude", "lat"],
        "lon": ["locationlongitude", "longitude", "lon", "lng", "long"],
    ]
}
