public import TrendyDomain

/// What server processes on one database tell each other of new heads.
///
/// All of it is a hint: one that is lost costs time alone, because heads are read now and then as well.
public protocol HeadHints: Sendable {
    /// The number of the connection on which what others tell is heard just now; nil while nothing is.
    ///
    /// Between two connections something may have been told that nobody here has heard.
    var connection: Int? { get }

    /// Tells other processes of a commit. It returns at once.
    func tell(_ userId: String, _ head: ServerHead)

    /// Hears of the commits of other processes from now on, until the hints are let go.
    func listen(_ onHead: @escaping @Sendable (_ userId: String, _ head: ServerHead) -> Void)
}
