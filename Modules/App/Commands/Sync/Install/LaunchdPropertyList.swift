/// A property list with which launchd runs `trendy sync` for a person who is logged in (launchd.plist(5)).
struct LaunchdPropertyList {
    let program: String
    let variables: [String: String]

    private static let label = "org.trendy.sync"
    private static let path = "~/Library/LaunchAgents/\(label).plist"

    static let enable = ["mkdir -p ~/Library/LaunchAgents", "trendy sync --install launchd > \(path)"] + load

    /// A comment in XML has no two hyphens, so that these go into one and the commands above do not.
    private static let load = ["launchctl bootstrap gui/$(id -u) \(path)"]

    static let disable = ["launchctl bootout gui/$(id -u)/\(label)"]

    var file: ScheduleFiles.File {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
        ]
        lines += ["<!--", "  Save this as \(Self.path), then"] + Self.load.map { "    \($0)" }
        lines += ["  puts it to use, and"] + Self.disable.map { "    \($0)" } + ["  stops it.", "-->"]
        lines += [
            #"<plist version="1.0">"#, "<dict>",
            "  <key>Label</key>", "  <string>\(Self.label)</string>",
            "  <key>ProgramArguments</key>", "  <array>",
            "    <string>\(Self.escaped(program))</string>", "    <string>sync</string>", "  </array>",
        ]
        if !variables.isEmpty {
            lines += ["  <key>EnvironmentVariables</key>", "  <dict>"]
            for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
                lines += ["    <key>\(Self.escaped(name))</key>", "    <string>\(Self.escaped(value))</string>"]
            }
            lines.append("  </dict>")
        }
        lines += [
            "  <key>RunAtLoad</key>", "  <true/>",
            "  <key>StartInterval</key>", "  <integer>\(SyncSchedule.interval)</integer>",
            "  <key>ProcessType</key>", "  <string>Background</string>", "</dict>", "</plist>",
        ]
        return ScheduleFiles.File(path: Self.path, content: lines.map { $0 + "\n" }.joined())
    }

    /// Text between tags; characters that XML has no way to write are left out (XML 1.0, section 2.2).
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
