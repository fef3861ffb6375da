#if canImport(Darwin)
    import Foundation
    import Synchronization
    import TrendyDomain

    /// Passes what URL loading reports on to its transfer.
    final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
        private let transfers = Mutex<[Int: Transfer]>([:])
        private let answers: ChallengeAnswers

        init(_ configuration: TransportConfiguration) { answers = ChallengeAnswers(configuration) }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let (disposition, credential) = answers.answer(challenge)
            completionHandler(disposition, credential)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let (disposition, credential) = answers.answer(challenge)
            completionHandler(disposition, credential)
        }

        func add(_ transfer: Transfer) {
            transfers.withLock { $0[transfer.task.taskIdentifier] = transfer }
        }

        func remove(_ transfer: Transfer) {
            transfers.withLock { $0[transfer.task.taskIdentifier] = nil }
        }

        private func transfer(of task: URLSessionTask) -> Transfer? {
            transfers.withLock { $0[task.taskIdentifier] }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            transfer(of: dataTask)?.receive(response)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            transfer(of: dataTask)?.receive(data)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            transfer(of: task)?.noteActivity()
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            transfer(of: task)?.complete(error)
        }

        /// Follows no redirect, so that a token never reaches another host: the redirect itself is the answer.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            transfer(of: task)?.conclude(with: response)
            #if !canImport(FoundationNetworking)
                // On Linux an answer that meets a cancelled task ends the process, so there is none: the
                // transfer has its outcome, and its task is cancelled.
                completionHandler(nil)
            #endif
        }

        /// Sends no body twice: URL loading asks for it anew when a connection that was used before turns out
        /// to be broken. On Linux it would then send an empty one, and wait until the time is up.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            transfer(of: task)?.abandon(.connection("the connection broke"))
            completionHandler(nil)
        }
    }
#endif
