import TrendyData
import TrendyDomain

/// Watches a world and says where a promise is broken. It takes no part in what happens.
protocol PromiseChecker: AnyObject {
    var promise: Promise { get }
    /// Whether it remembers what was in the store of a device. Then it is not asked any more when a store was replaced by a
    /// copy. True by default.
    var followsStores: Bool { get }

    /// A person did something, and the engine said that it is written.
    func wrote(_ act: Act, in world: World) throws
    /// A request has left a device.
    func departed(_ exchange: Exchange, in world: World) throws
    /// An answer has reached a process.
    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws
    /// A process has heard that a request failed.
    func lost(_ exchange: Exchange, _ error: APIError, in world: World) throws
    /// A process has died.
    func died(_ process: DeviceProcess, in world: World) throws
    /// Something was committed on a device, or several things at once.
    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws
    /// A sync has ended, and its caller has the report.
    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws
    /// Faults are over and everything that can be sent is sent; people have not looked at what was refused yet.
    func healed(_ world: World) throws
    /// People have decided about everything, and all have synced.
    func settled(_ world: World) throws
}

extension PromiseChecker {
    var followsStores: Bool { true }
    func wrote(_ act: Act, in world: World) throws {}
    func departed(_ exchange: Exchange, in world: World) throws {}
    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {}
    func lost(_ exchange: Exchange, _ error: APIError, in world: World) throws {}
    func died(_ process: DeviceProcess, in world: World) throws {}
    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {}
    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws {}
    func healed(_ world: World) throws {}
    func settled(_ world: World) throws {}
}
