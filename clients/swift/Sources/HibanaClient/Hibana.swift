import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The types of the API stand in here, so that `Hibana.Notification` and Foundation's differ.
public enum Hibana {
    /// A client of the API. Each operation is a method, in Operations.swift.
    public struct Client: Sendable {
        let baseURL: String
        let session: URLSession
        let attempts: Int
        let patience: TimeInterval
        let token: @Sendable (_ fresh: Bool) async throws -> String?

        /// - Parameters:
        ///   - baseURL: Where the API is, without a slash at the end.
        ///   - attempts: How often a request is sent at most.
        ///   - patience: The longest time in seconds that a request waits before it is sent again.
        ///   - token: Gives the caller's ID token, or nil for a caller who is signed out. `fresh` asks for a
        ///     token that was made now, because the last one has expired.
        public init(
            baseURL: String, session: URLSession = .shared, attempts: Int = 4, patience: TimeInterval = 10,
            token: @escaping @Sendable (_ fresh: Bool) async throws -> String?
        ) {
            self.baseURL = baseURL
            self.session = session
            self.attempts = attempts
            self.patience = patience
            self.token = token
        }
    }

    /// An answer that is no success. Branch on `code`, and expect codes that are newer than this client.
    public struct Failure: Error, LocalizedError {
        public let status: Int
        public let code: String
        public let message: String
        /// The problem document, if the answer was one.
        public let problem: Problem?

        public var errorDescription: String? { message }
    }

    /// What a request came to that may have to wait for somebody's approval.
    public enum Outcome<Done: Sendable, Waiting: Sendable>: Sendable {
        case done(Done)
        case waiting(Waiting)
    }

    /// Any value of JSON.
    public enum JSON: Codable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([JSON])
        case object([String: JSON])

        public init(from decoder: Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let bool = try? value.decode(Bool.self) {
                self = .bool(bool)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let string = try? value.decode(String.self) {
                self = .string(string)
            } else if let array = try? value.decode([JSON].self) {
                self = .array(array)
            } else {
                self = .object(try value.decode([String: JSON].self))
            }
        }

        public func encode(to encoder: Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .null: try value.encodeNil()
            case .bool(let bool): try value.encode(bool)
            case .number(let number): try value.encode(number)
            case .string(let string): try value.encode(string)
            case .array(let array): try value.encode(array)
            case .object(let object): try value.encode(object)
            }
        }
    }

    /// The items of a list, page by page, each asked for when it is needed.
    ///
    ///     for try await tweet in Hibana.pages({ token in
    ///         let page = try await client.getTimeline(pageToken: token)
    ///         return (page.items, page.nextPageToken)
    ///     }) { … }
    public static func pages<Item: Sendable>(
        _ page: @escaping @Sendable (_ pageToken: String?) async throws -> ([Item], String)
    ) -> AsyncThrowingStream<Item, Error> {
        let source = Pages(page)
        return AsyncThrowingStream(unfolding: { try await source.next() })
    }

    static func segment(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? text
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private actor Pages<Item: Sendable> {
        private let page: @Sendable (String?) async throws -> ([Item], String)
        private var items: [Item] = []
        private var token: String?
        private var ended = false

        init(_ page: @escaping @Sendable (String?) async throws -> ([Item], String)) {
            self.page = page
        }

        func next() async throws -> Item? {
            while items.isEmpty && !ended {
                let (found, next) = try await page(token)
                items = found.reversed()
                token = next
                ended = next.isEmpty
            }
            return items.popLast()
        }
    }
}
