import Foundation

/// A page around a report, as wide as a device, that measures what is in it.
///
/// The report itself stays as it is, with its policy: a frame without an address of its own belongs to the page around
/// it, whose script may look inside.
struct PageMeasure: Decodable {
    /// What is seen of the report, in pixels.
    var visible: Double
    /// What there would be to see if one scrolled to the side.
    var whole: Double
    /// The elements that begin or end outside.
    var outside: [String]
    /// The labels of charts that lie over each other.
    var collisions: [String]
    /// How many elements were looked at.
    var count: Int

    private static let script = """
        const frame = document.querySelector('iframe')
        frame.onload = () => {
          const page = frame.contentDocument, root = page.documentElement
          for (const part of page.querySelectorAll('details')) part.open = true
          const name = e => `${e.tagName}.${e.getAttribute('class')} ${e.textContent.slice(0, 40)}`
          const seen = [...page.querySelectorAll('body *')]
            .map(e => [e, e.getBoundingClientRect()]).filter(([e, r]) => r.width > 0 && !e.closest('.hidden'))
          const outside = seen.filter(([e, r]) => r.right > root.clientWidth + 0.5 || r.left < -0.5)
          const labels = seen.filter(([e, r]) => e.tagName == 'text')
          const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
          const collisions = labels.flatMap(([e, r], i) =>
            labels.slice(i + 1).filter(([, s]) => over(r, s)).map(([f]) => `${name(e)} / ${name(f)}`))
          document.querySelector('pre').textContent = JSON.stringify({
            visible: root.clientWidth, whole: root.scrollWidth, outside: outside.map(([e]) => name(e)), collisions,
            count: seen.length
          })
        }
        """

    /// Puts a report into a frame of that width.
    static func around(_ report: String, width: Int) -> String {
        let quoted = report.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        return """
            <!DOCTYPE html><meta charset="utf-8"><pre></pre>
            <iframe width="\(width)" height="200000" frameborder="0" srcdoc="\(quoted)"></iframe>
            <script>\(script)</script>
            """
    }

    /// Reads what the script wrote.
    init(in page: String) throws {
        let answer = page.firstMatch(of: #/<pre>([^<]*)</pre>/#)?.1 ?? ""
        let plain = answer.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        self = try JSONDecoder().decode(PageMeasure.self, from: Data(plain.utf8))
    }
}
