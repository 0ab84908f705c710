// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "HibanaClient",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "HibanaClient", targets: ["HibanaClient"])],
    targets: [
        .target(name: "HibanaClient"),
        .executableTarget(name: "Sample", dependencies: ["HibanaClient"]),
    ]
)
