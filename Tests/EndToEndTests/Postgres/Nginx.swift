#if Postgres
    import Foundation
    import TrendyProcesses

    /// An nginx in front of servers, which sends each request to the next of them.
    final class Nginx {
        /// Why tests that need one are skipped.
        static let absence = "nginx is not installed"
        static let program = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/usr/bin/nginx", "/opt/homebrew/bin/nginx"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }

        let address: String
        private let folder: Folder
        private let process: ChildProcess

        init(before ports: [Int]) throws {
            guard let program = Self.program else { throw NotInstalled() }
            let port = try Self.freePort()
            folder = try Folder()
            address = "http://127.0.0.1:\(port)"
            let file = try folder.write(Self.configuration(port, ports), to: "nginx.conf")
            process = try ChildProcess(
                program, ["-p", folder.url.path, "-c", file, "-e", "errors.log"], environment: ["PATH": "/usr/bin:/bin"]
            )
        }

        deinit { process.signal(SIGKILL) }

        struct NotInstalled: Error {}

        /// A request goes on to the next server only where none has received it. nginx does so for what changes nothing.
        private static func configuration(_ port: Int, _ servers: [Int]) -> String {
            let upstream = servers.map { "server 127.0.0.1:\($0) max_fails=0;" }.joined(separator: " ")
            let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path temp-\($0);" }
            return """
                daemon off; master_process off; pid nginx.pid; worker_processes 1;
                events { worker_connections 512; }
                http {
                  access_log off; client_max_body_size 16m; \(folders.joined(separator: " "))
                  upstream trendy { \(upstream) keepalive 16; }
                  server {
                    listen 127.0.0.1:\(port);
                    location / {
                      proxy_pass http://trendy; proxy_http_version 1.1; proxy_buffering off; proxy_read_timeout 60s;
                      proxy_set_header Connection ""; proxy_set_header Host $host;
                      proxy_set_header X-Forwarded-For $remote_addr;
                    }
                  }
                }
                """
        }

        /// A port that nobody listens at.
        private static func freePort() throws -> Int {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(socket, pointer, size) == 0 ? getsockname(socket, pointer, &size) : -1
                }
            }
            guard code == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
#endif
