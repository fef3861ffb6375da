// The body of `make layers`; Scripts/layers compiles it with the checker of ArchitectureTests.

import Foundation

@main
struct Layers {
    static func main() throws {
        let root = URL(filePath: CommandLine.arguments.dropFirst().first ?? ".", directoryHint: .isDirectory)
        print(allowedEdges.drawing())
        let violations = try LayeringCheck(layers: allowedEdges, root: root).violations()
        guard violations.isEmpty else {
            let text = violations.map { "\n\($0)" }.joined() + "\n"
            FileHandle.standardError.write(Data(text.utf8))
            exit(1)
        }
        print("\nPackage.swift and every import in Modules agree with this table.")
    }
}
