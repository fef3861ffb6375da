public import TrendyData
import TrendyDomain

// Everything that this client must know of a backend that is not ours.

extension RouteTable {
    /// The backend in `Server/chores.py`.
    public static let chores = RouteTable(
        basePath: "/v2",
        healthPath: "/ping",
        changesPath: "/journal",
        changesParameters: ChangesParameters(cursor: "after", limit: "max"),
        latestCursorPath: "/journal/end",
        // There are no tokens to renew: a session lasts. Nor is there a route to end it, or one that tells whose it is.
        account: AccountRoutes(signup: "/people", login: "/sessions", refresh: nil, logout: nil, me: nil),
        tokenHeader: TokenHeader(name: "X-Session"),
        records: [
            Chore.entityType: RecordRoutes(
                path: "/chores",
                paging: .token(limit: 200, limitParameter: "size", tokenParameter: "page", next: ["next"]),
                updateMethod: .patch,
                listBody: .each(chore).inside(.unwrapping("items")),
                recordBody: chore.inside(.enveloped(in: "data")))
        ],
        changesBody: .member("changes", .each(entry)).inside(page),
        latestCursorBody: .renaming(["cursor": "seq"]).inside(.unwrapping("data")),
        healthBody: BodyMapping(response: { ["status": $0.objectValue?["alive"] == true ? "ok" : "unwell"] }),
        accountBody: session,
        problemBody: .renaming(["detail": "text"]).inside(.unwrapping("problem")))

    /// What its records call our fields, and the contract's.
    private static let chore = BodyMapping.renaming([
        "title": "summary", "is_done": "isDone", "user_id": "owner", "created_at": "createdAt",
        "updated_at": "modifiedAt",
    ])

    /// A page of its journal.
    private static let page = BodyMapping.renaming([
        "changes": "items", "next_cursor": "next", "has_more": "more",
    ])

    /// An entry of its journal. It has one kind of record, so it does not say which, and words of its own.
    private static let entry = BodyMapping.member("data", chore)
        .inside(.renaming(["id": "seq", "operation": "what", "entity_id": "key", "data": "chore"]))
        .inside(
            BodyMapping(response: { body in
                var entry = body.objectValue ?? [:]
                entry["entity_type"] = "chore"
                entry["what"] = operations[entry["what"]?.stringValue ?? ""] ?? entry["what"]
                return .object(entry)
            }))

    private static let operations: [String: JSONValue] = [
        "added": "create", "changed": "update", "removed": "delete",
    ]

    /// A sign-in goes out as `{"login": …}` and comes back as `{"session": …}`.
    private static let session = BodyMapping(
        request: BodyMapping.renaming(["email": "name", "password": "secret"]).inside(.enveloped(in: "login")).request,
        response: BodyMapping.member("user", .renaming(["email": "name"]))
            .inside(.renaming(["access_token": "key", "user": "who"])).inside(.unwrapping("session")).response)
}
