import Logging
import TrendyServer

/// Reads the settings of a running server anew, and carries over those that can change while it runs.
struct ServeReload: Sendable {
    let options: [ServeSetting: String]
    let environment: [String: String]
    let file: String?
    /// What it was started with.
    let settings: ServeSettings
    let server: TrendyHTTPServer
    let log: ServerLog

    /// Changes limits, quotas and logging. Connections and requests that are under way go on.
    ///
    /// Where the settings cannot be read, all stays as it is, and the log says why.
    func run() {
        let new: ServeSettings
        do {
            new = try ServeSettings(ServeSources(options: options, environment: environment, file: file))
        } catch {
            log.logger.error("the settings are not read anew", metadata: ["error": "\(error)"])
            return
        }
        server.setRequestLimits(new.limits)
        server.records.setQuota(new.quota)
        log.settings = new.log
        log.logger.notice("the settings were read anew")
        let fixed = new.fixedDifferences(from: settings)
        if !fixed.isEmpty {
            log.logger.warning(
                "some settings hold only from the next start on",
                metadata: ["settings": "\(fixed.joined(separator: ", "))"])
        }
    }
}
