/// The order in which every store lists ids.
///
/// UUIDs in lower case are in the order of their bytes, which is that of their texts. All other ids come before them,
/// in the order of their bytes as UTF-8. So a store can keep UUIDs in 16 bytes.
public enum IdOrder {
    /// Whether one id comes before another.
    public static func precedes(_ id: String, _ other: String) -> Bool {
        let (isUUID, isOtherUUID) = (UUIDText.parse(id) != nil, UUIDText.parse(other) != nil)
        return isUUID == isOtherUUID ? id.utf8.lexicographicallyPrecedes(other.utf8) : isOtherUUID
    }
}
