import TrendyNotation

/// A user service and a timer of systemd that run `trendy sync` (systemd.service(5), systemd.timer(5)).
struct SystemdUnits {
    let program: String
    let variables: [String: String]

    private static let folder = "~/.config/systemd/user"

    static let enable = [
        "mkdir -p \(folder)",
        "trendy sync --install service > \(folder)/trendy-sync.service",
        "trendy sync --install timer > \(folder)/trendy-sync.timer",
        "systemctl --user daemon-reload",
        "systemctl --user enable --now trendy-sync.timer",
    ]

    static let disable = ["systemctl --user disable --now trendy-sync.timer"]

    var service: ScheduleFiles.File {
        var lines = [
            "[Unit]", "Description=Sync Trendy", "",
            "[Service]", "Type=oneshot", "ExecStart=\(Self.quoted(program)) sync",
        ]
        lines += variables.sorted { $0.key < $1.key }.map { "Environment=\(Self.quoted("\($0.key)=\($0.value)"))" }
        lines += [
            "# It is not a failure if the server cannot be reached or asked to wait: the next sync tries again.",
            "SuccessExitStatus=69 75",
        ]
        return ScheduleFiles.File(path: "\(Self.folder)/trendy-sync.service", content: Self.text(lines))
    }

    var timer: ScheduleFiles.File {
        let lines = [
            "[Unit]", "Description=Sync Trendy regularly", "",
            "[Timer]", "OnStartupSec=60", "OnUnitInactiveSec=\(SyncSchedule.interval)", "RandomizedDelaySec=30", "",
            "[Install]", "WantedBy=timers.target",
        ]
        return ScheduleFiles.File(path: "\(Self.folder)/trendy-sync.timer", content: Self.text(lines))
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// A word in quotes, with systemd's escapes and a doubled `%` (systemd.syntax(7), systemd.unit(5)).
    private static func quoted(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "%": text += "%%"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return "\"\(text)\""
    }
}

/// A property list of launchd that runs `trendy sync` while the person is logged in (launchd.plist(5)).
struct LaunchdPropertyList {
    let program: String
    let variables: [String: String]

    private static let label = "org.trendy.sync"
    private static let path = "~/Library/LaunchAgents/\(label).plist"

    static let enable = ["mkdir -p ~/Library/LaunchAgents", "trendy sync --install launchd > \(path)"] + load

    /// An XML comment must not have two hyphens, so it can have this command, but not the others.
    private static let load = ["launchctl bootstrap gui/$(id -u) \(path)"]

    static let disable = ["launchctl bootout gui/$(id -u)/\(label)"]

    var file: ScheduleFiles.File {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
        ]
        lines += ["<!--", "  Save this as \(Self.path), then"] + Self.load.map { "    \($0)" }
        lines += ["  starts it, and"] + Self.disable.map { "    \($0)" } + ["  stops it.", "-->"]
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

    /// Text between tags, without the characters that XML cannot have (XML 1.0, section 2.2).
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
