import HTTPTypes
import Hummingbird
import TrendyDomain

/// The handler of the exchange between a device and the server.
struct SyncHandlers: Sendable {
    let records: RecordService
    let blocking: BlockingWork

    var routes: [Route] {
        [Route(.post, "\(basePath)/sync") { try await sync($0, $1) }]
    }

    private func sync(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let body = try await request.json(upTo: SyncRequest.byteLimit, context)
        let room = context.answerRoom
        // Reading and checking needs no lock; only what writes stands in line.
        let prepared = try await blocking.prepare(body.count) { [records] in try records.prepareSync(body) }
        if !prepared.hasMutations,
            let answer = try await blocking.readPage({ [records] in
                let answer = try records.read(prepared, userId: userId)
                try room.take(answer?.count ?? 0)
                return answer
            })
        {
            return Response(json: answer)
        }
        let exchange = try await blocking.prepare(body.count) { [records] in
            try records.prepareExchange(prepared, userId: userId)
                .holding { try room.take((try? $0.get().count) ?? 0) }
        }
        return Response(json: try await blocking.commit(exchange).get())
    }
}
