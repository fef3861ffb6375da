/// What is known of the history that a snapshot is of, compared with the one that the device knows.
enum HistoryVerdict {
    /// It is the same, whatever it is called by now.
    case same
    /// It is the same if it has the same name.
    case asNamed
    /// It counts as another one: what it does not show is not deleted here.
    case other
}
