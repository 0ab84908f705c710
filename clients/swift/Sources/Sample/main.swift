import Foundation
import HibanaClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Signs up at the Auth emulator, as the Firebase SDK does in an app: `try await user.getIDToken(forcingRefresh: fresh)`.
func signUp(_ auth: String) async throws -> String {
    struct Account: Decodable { let idToken: String }
    var request = URLRequest(url: URL(string: "\(auth)/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any")!)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["email": "ann-\(UUID())@example.com", "password": "sparkler"])
    let (data, _) = try await URLSession.shared.data(for: request)
    return try JSONDecoder().decode(Account.self, from: data).idToken
}

let environment = ProcessInfo.processInfo.environment
let idToken = try await signUp(environment["AUTH"] ?? "http://127.0.0.1:9099")
let hibana = Hibana.Client(baseURL: environment["API"] ?? "http://127.0.0.1:8000") { _ in idToken }
_ = try await hibana.createUser(Hibana.NewUser(nickname: "Ann", username: "ann_\(UInt32.random(in: 0..<1_000_000_000))"))

guard case .done(let tweet) = try await hibana.createTweet(Hibana.NewTweet(content: "Sparks fly #hibana")) else {
    fatalError("a reply waits for approval")
}
var home = try await hibana.getTimeline()
while !home.items.contains(where: { $0.id == tweet.id }) {  // home follows by an event, within a second or so
    try await Task.sleep(nanoseconds: 500_000_000)
    home = try await hibana.getTimeline()
}
for item in home.items { print("home:", item.author.nickname, item.snippet) }

try await hibana.like(id: tweet.id)
try await hibana.deleteTweet(id: tweet.id)
do {
    try await hibana.like(id: tweet.id)
} catch let failure as Hibana.Failure where failure.code == "tweet_deleted" {
    print("error:", failure.status, failure.code)
}
