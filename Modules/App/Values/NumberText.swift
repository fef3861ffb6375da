/// Numbers in and out, the same in every locale.
enum NumberText {
    /// The finite number that the text writes; nil for anything else, `nan`, `inf` and hexadecimal included.
    static func parse(_ text: String) -> Double? {
        let allowed = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte == 0x65 || byte == 0x45
        }
        guard allowed, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The shortest text that reads back as the same number, whole numbers without a fraction.
    static func text(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }
}
