#if Postgres
    import Foundation
    import TrendyDomain

    /// A parameter of a statement in PostgreSQL's binary form.
    ///
    /// Arrays are columns: `unnest` makes rows of several, so that a thousand of them go out with one statement.
    struct PostgresValue: Sendable {
        /// The types of elements, by the numbers that PostgreSQL has for them.
        private enum Element: Int32 {
            case bytes = 17
            case number = 20
            case text = 25
        }

        /// Nil for NULL.
        let bytes: [UInt8]?

        static func number(_ number: Int64?) -> PostgresValue {
            PostgresValue(bytes: number.map { value in withUnsafeBytes(of: value.bigEndian) { Array($0) } })
        }

        static func bytes(_ bytes: some Sequence<UInt8>) -> PostgresValue { PostgresValue(bytes: Array(bytes)) }

        /// A text without U+0000, which PostgreSQL does not take: a name that is ours.
        static func text(_ text: String) -> PostgresValue { PostgresValue(bytes: Array(text.utf8)) }

        static func id(_ id: String) -> PostgresValue { PostgresValue(bytes: PostgresKey.id(id)) }

        static func numbers(_ numbers: [Int64?]) -> PostgresValue {
            array(of: .number, numbers) { number, array in
                withUnsafeBytes(of: number.bigEndian) { array.append(contentsOf: $0) }
            }
        }

        static func texts(_ texts: [String]) -> PostgresValue {
            array(of: .text, texts.map(Optional.some)) { $1.append(contentsOf: $0.utf8) }
        }

        static func manyBytes(_ values: [[UInt8]?]) -> PostgresValue {
            array(of: .bytes, values) { $1.append(contentsOf: $0) }
        }

        static func documents(_ values: [Data?]) -> PostgresValue {
            array(of: .bytes, values) { $1.append(contentsOf: $0) }
        }

        static func ids(_ ids: [String]) -> PostgresValue { manyBytes(ids.map { PostgresKey.id($0) }) }

        /// One dimension, whether there are nulls, the type, the count, the first index; then the length of each
        /// element, -1 for NULL, and the element.
        private static func array<Value>(
            of type: Element, _ values: [Value?], _ append: (Value, inout [UInt8]) -> Void
        ) -> PostgresValue {
            var array: [UInt8] = []
            array.reserveCapacity(20 + values.count * 24)
            let hasNulls: Int32 = values.contains { $0 == nil } ? 1 : 0
            let head = values.isEmpty ? [0, 0, type.rawValue] : [1, hasNulls, type.rawValue, Int32(values.count), 1]
            for number in head { withUnsafeBytes(of: number.bigEndian) { array.append(contentsOf: $0) } }
            for value in values {
                let place = array.count
                withUnsafeBytes(of: Int32(-1).bigEndian) { array.append(contentsOf: $0) }
                guard let value else { continue }
                append(value, &array)
                let length = Int32(array.count - place - 4)
                withUnsafeBytes(of: length.bigEndian) { array.replaceSubrange(place..<place + 4, with: $0) }
            }
            return PostgresValue(bytes: array)
        }
    }
#endif
