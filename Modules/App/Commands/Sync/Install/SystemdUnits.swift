import TrendyNotation

/// A service and a timer with which a person's own systemd runs `trendy sync` (systemd.service(5), systemd.timer(5)).
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
            "# A server that is out of reach, or asks for a pause, is no failure: the next sync tries again.",
            "SuccessExitStatus=69 75",
        ]
        return ScheduleFiles.File(path: "\(Self.folder)/trendy-sync.service", content: Self.text(lines))
    }

    var timer: ScheduleFiles.File {
        let lines = [
            "[Unit]", "Description=Sync Trendy now and then", "",
            "[Timer]", "OnStartupSec=60", "OnUnitInactiveSec=\(SyncSchedule.interval)", "RandomizedDelaySec=30", "",
            "[Install]", "WantedBy=timers.target",
        ]
        return ScheduleFiles.File(path: "\(Self.folder)/trendy-sync.timer", content: Self.text(lines))
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    /// A word as systemd reads it: in quotes, with its own escapes, and with the specifiers' `%` doubled
    /// (systemd.syntax(7), systemd.unit(5)).
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
