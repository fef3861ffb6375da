import Foundation
import Testing
import TrendyData
import TrendyDomain

@Suite("A store whose folder cannot be made")
struct StoreFolderTests {
    private func refusal(_ path: String) -> String {
        do {
            _ = try LocalStoreFactory(path: path).makeDataStore().metadata("x")
            return ""
        } catch { return "\(error)" }
    }

    @Test("says in words what is in the way")
    func file() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("file")
        try Data().write(to: URL(fileURLWithPath: file))
        let text = refusal("\(file)/x/y/trendy.sqlite")
        let told = "the folder \(file)/x/y cannot be made: \(file) is no folder; name another one"
        #expect(text.contains(told), "\(text)")
        let long = refusal(folder.path(String(repeating: "x", count: 300)) + "/trendy.sqlite")
        #expect(long.contains("cannot be made: its name is too long"), "\(long)")
        #expect(!text.contains("NSCocoa") && !long.contains("NSCocoa"))
    }
}
