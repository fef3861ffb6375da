import Foundation
import TrendyDomain
import TrendyTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a setting has its value from, the strongest first.
enum SettingSource: String, Sendable, CaseIterable {
    /// The command line.
    case flag
    /// An environment variable.
    case environment
    /// The configuration file.
    case file
    /// Nothing was said.
    case standard = "default"
}

/// What was said about the settings, and where.
struct SettingSources: Sendable {
    private let layers: [(source: SettingSource, values: [String: String])]
    private let path: String

    /// - Parameters:
    ///   - flags: What the command line says, by the keys.
    ///   - environment: The variables of the process; empty ones count as not set.
    ///   - file: What the configuration file says, by the keys.
    ///   - path: Where that file is.
    init(flags: [String: String], environment: [String: String], file: [String: String], path: String) {
        var variables: [String: String] = [:]
        for setting in Setting.all {
            if let text = environment[setting.variable], !text.isEmpty { variables[setting.key] = text }
        }
        layers = [(.flag, flags), (.environment, variables), (.file, file)]
        self.path = path
    }

    /// Reads what flags, environment and file say.
    ///
    /// - Throws: ``CommandFailure`` where the file cannot be read.
    static func load(
        _ folders: Folders, flags: [String: String], environment: [String: String]
    ) throws -> SettingSources {
        let file = ConfigurationFile(path: folders.configuration)
        return SettingSources(
            flags: flags, environment: environment, file: try file.read()?.texts ?? [:], path: file.path)
    }

    /// The text that was given for a setting; nil where nothing was said.
    func text(_ setting: Setting) -> String? { layers.lazy.compactMap { $0.values[setting.key] }.first }

    /// Where the value of a setting is from.
    func source(_ setting: Setting) -> SettingSource {
        layers.first { $0.values[setting.key] != nil }?.source ?? .standard
    }

    /// What is wrong with the value of a setting; nil where it can be used.
    func problem(_ setting: Setting) -> String? {
        guard let text = text(setting) else { return nil }
        do {
            _ = try setting.kind.value(text)
            return nil
        } catch {
            return error.message
        }
    }

    /// The value of a setting: what was given for it, else the standard; nil where there is none.
    ///
    /// - Throws: ``CommandFailure`` where it makes no sense, with where it is said and what helps.
    func value(_ setting: Setting) throws(CommandFailure) -> JSONValue? {
        guard let text = text(setting) ?? setting.standard else { return nil }
        do { return try setting.kind.value(text) } catch {
            throw .usage(
                "the setting \(setting.key) '\(setting.shown(text))' (from \(place(setting))) cannot be used: "
                    + "\(error.message); \(remedy(setting))")
        }
    }

    /// Where the value of a setting is from, for a person.
    func place(_ setting: Setting) -> String {
        switch source(setting) {
        case .flag: setting.flag ?? "the command line"
        case .environment: setting.variable
        case .file: path
        case .standard: "nowhere"
        }
    }

    private func remedy(_ setting: Setting) -> String {
        switch source(setting) {
        case .file: "change it with 'trendy config set \(setting.key) …', or 'trendy config unset \(setting.key)'"
        default: "give another value, or none"
        }
    }
}

/// The configuration file of this device.
struct ConfigurationFile {
    let path: String

    /// What the file says; nil where there is none.
    ///
    /// - Throws: ``CommandFailure`` where it cannot be read or is no JSON object.
    func read() throws -> ConfigurationDocument? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let data: Data
        if FileFailure.isFolder(path) {
            throw CommandFailure(.cannotCreate, "the configuration file \(path) is a folder; move it away")
        }
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw CommandFailure(.cannotCreate, "the configuration file \(path) cannot be read; check its permissions")
        }
        do { return try ConfigurationDocument([UInt8](data)) } catch {
            throw CommandFailure.data(
                "the configuration file \(path) is no JSON object like {\"server\": \"https://…\"}: "
                    + "line \(error.line): \(error.reason); mend it, or move it away")
        }
    }

    /// Changes the file, in one step: a reader finds the old text or the new one, whole, also after a power cut.
    ///
    /// Another process that changes it at the same time waits, so that nothing is lost.
    func update(_ change: (inout ConfigurationDocument) throws -> Void) throws {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw unwritable("its folder cannot be made") }
        let lock = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard lock >= 0 else { throw unwritable(String(cString: strerror(errno))) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        var document = try read() ?? ConfigurationDocument()
        let before = document.bytes
        try change(&document)
        if document.bytes == before, FileManager.default.fileExists(atPath: path) { return }
        // Who keeps the file elsewhere and links to it wants the link to stay.
        try replace(url.resolvingSymlinksInPath().path, with: document)
    }

    private func replace(_ target: String, with document: ConfigurationDocument) throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        let present = mode_t(attributes?[.posixPermissions] as? Int ?? 0o600)
        let holdsSecret = Setting.all.contains { $0.isSecret && document.value($0.key) != nil }
        let temporary = "\(target).\(getpid()).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(String(cString: strerror(errno))) }
        var isWritten = write(document.bytes, to: descriptor)
        isWritten = isWritten && fchmod(descriptor, holdsSecret ? present & 0o700 : present) == 0
        isWritten = isWritten && fsync(descriptor) == 0
        let reason = String(cString: strerror(errno))
        close(descriptor)
        guard isWritten, rename(temporary, target) == 0 else {
            unlink(temporary)
            throw unwritable(reason)
        }
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pointer in
                #if canImport(Glibc)
                    Glibc.write(descriptor, pointer.baseAddress, pointer.count)
                #elseif canImport(Musl)
                    Musl.write(descriptor, pointer.baseAddress, pointer.count)
                #else
                    Darwin.write(descriptor, pointer.baseAddress, pointer.count)
                #endif
            }
            if count < 0, errno != EINTR { return false }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }

    private func unwritable(_ reason: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate,
            "the configuration file \(path) cannot be written (\(reason)); let its folder be written, or set TRENDY_HOME to "
                + "another folder")
    }
}
