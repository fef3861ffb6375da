import Foundation
import Testing

@Suite(
    "The report in a browser",
    .enabled(if: Chromium.program != nil, "there is no Chromium on this machine"), .timeLimit(.minutes(5)))
struct ReportInBrowserTests {
    private let device: Device
    private let browser: Chromium

    init() throws {
        device = try Device()
        browser = Chromium(folder: device.folder)
    }

    /// Two years of types with names that are short, long, emoji, from right to left, and markup.
    private func makeReport() async throws -> URL {
        let names = [
            "run", "<script>alert(1)</script>", "\"&'", "☕️ 咖啡 コーヒー", "قهوة مع الحليب",
            String(repeating: "Donaudampfschifffahrt", count: 4), "one two three four five six seven eight nine ten",
        ]
        var rows = ["type,time,km"]
        for day in 0..<700 {
            for (number, name) in names.enumerated() where (day * (number + 3)) % 7 < 3 {
                let moment = 1_700_000_000 + day * 86_400 + number * 7_200 + day % 5 * 600
                rows.append(
                    "\"\(name.replacing("\"", with: "\"\""))\",\(moment),\(number == 0 ? "\(day % 13 * 1000)" : "")")
            }
        }
        let file = device.folder.url.appending(path: "events.csv")
        try Data(rows.joined(separator: "\n").utf8).write(to: file)
        try await device.done("type", "add", "run", "--color", "#FFFFFF")
        try await device.done("prop", "add", "run", "km", "--kind", "number")
        try await device.done(
            "import", "csv", file.path, "--type", "type", "--time", "time", "--prop", "km=km", "--create-types")
        try await device.log("run", "--prop", "km=1200000.5")
        let report = device.folder.url.appending(path: "report.html")
        try await device.done("report", "--since", "2023-11-01", "--output", report.path)
        return report
    }

    private func write(_ text: String, _ name: String) throws -> URL {
        let file = device.folder.url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file
    }

    @Test("says nothing on the console, and fits a telephone and a desk with every figure shown")
    func fits() async throws {
        let report = try await makeReport()
        #expect(try await browser.visit(report).console == [])
        let html = try String(contentsOf: report, encoding: .utf8)
        for width in [320, 360, 768, 1280] {
            let frame = try write(PageMeasure.around(html, width: width), "frame-\(width).html")
            let visit = try await browser.visit(frame, options: ["--window-size=1600,1200"])
            let measure = try PageMeasure(in: visit.page)
            #expect(visit.console == [])
            #expect(measure.visible == Double(width) && measure.whole == measure.visible && measure.count > 1000)
            #expect(measure.outside == [], "at \(width)")
            #expect(measure.collisions == [], "at \(width)")
        }
    }

    @Test("the page's policy stops a script that somebody puts in, and what it would load")
    func policy() async throws {
        let report = try await makeReport()
        let html = try String(contentsOf: report, encoding: .utf8)
        let script = "<script>document.title = 'changed'</script><img src=\"https://example.org/x.png\"></body>"
        let changed = try write(html.replacing("</body>", with: script), "changed.html")
        let visit = try await browser.visit(changed)
        #expect(visit.page.contains("<title>Your events"))
        #expect(visit.console.filter { $0.contains("Content Security Policy") }.count == 2)
        // Without the policy it would run: the test sees what it looks for.
        let policy = "http-equiv=\"Content-Security-Policy\""
        let open = try write(html.replacing("</body>", with: script).replacing(policy, with: "name=\"x\""), "open.html")
        #expect(try await browser.visit(open).page.contains("<title>changed"))
    }
}
