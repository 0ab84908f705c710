import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Hibana.Client {
    func call<Answer: Decodable>(
        _ method: String, _ path: String, query: [String: String?] = [:], headers: [String: String?] = [:],
        body: (any Encodable)? = nil
    ) async throws -> Answer {
        let (data, _) = try await send(method, path, query: query, headers: headers, body: body)
        return try Self.decoder().decode(Answer.self, from: data)
    }

    func done(
        _ method: String, _ path: String, query: [String: String?] = [:], headers: [String: String?] = [:],
        body: (any Encodable)? = nil
    ) async throws {
        _ = try await send(method, path, query: query, headers: headers, body: body)
    }

    func outcome<Done: Decodable & Sendable, Waiting: Decodable & Sendable>(
        _ method: String, _ path: String, query: [String: String?] = [:], headers: [String: String?] = [:],
        body: (any Encodable)? = nil
    ) async throws -> Hibana.Outcome<Done, Waiting> {
        let (data, answer) = try await send(method, path, query: query, headers: headers, body: body)
        if answer.statusCode == 202 {
            return .waiting(try Self.decoder().decode(Waiting.self, from: data))
        }
        return .done(try Self.decoder().decode(Done.self, from: data))
    }

    /// Sends a request, for what the operations do not offer, such as a null. Renews an expired token once.
    /// Sends the request again after 429, and after 503 and a failure of the network unless it is a POST
    /// without an Idempotency-Key.
    ///
    /// Throws a `Hibana.Failure` for an answer that is no success, and a `URLError` where there is none.
    public func send(
        _ method: String, _ path: String, query: [String: String?] = [:], headers: [String: String?] = [:],
        body: (any Encodable)? = nil
    ) async throws -> (Data, HTTPURLResponse) {
        var request = try build(method, path, query: query, headers: headers, body: body)
        let repeatable = method != "POST" || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
        var fresh = false
        var attempt = 1
        while true {
            let bearer = try await token(fresh)
            if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
            var wait = min(0.25 * pow(2, Double(attempt)), patience)
            do {
                let (data, response) = try await session.data(for: request)
                guard let answer = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                if answer.statusCode < 300 { return (data, answer) }
                let failure = Self.failure(data, answer)
                if answer.statusCode == 401 && bearer != nil && !fresh {
                    fresh = true
                    continue
                }
                let again = answer.statusCode == 429 || (answer.statusCode == 503 && repeatable)
                let told = answer.value(forHTTPHeaderField: "Retry-After").flatMap { Double($0) } ?? 0
                if !again || attempt >= attempts || told > patience { throw failure }
                if told > 0 { wait = told }
            } catch let error as URLError {
                if attempt >= attempts || !repeatable || error.code == .cancelled { throw error }
            }
            attempt += 1
            try await Task.sleep(nanoseconds: UInt64(wait * 1_000_000_000))
        }
    }

    private func build(
        _ method: String, _ path: String, query: [String: String?], headers: [String: String?], body: (any Encodable)?
    ) throws -> URLRequest {
        let asked = query.compactMap { name, value in value.map { "\(name)=\(Hibana.segment($0))" } }.sorted()
        let address = baseURL + path + (asked.isEmpty ? "" : "?" + asked.joined(separator: "&"))
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for (name, value) in headers {
            if let value { request.setValue(value, forHTTPHeaderField: name) }
        }
        if let body {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            request.httpBody = try encoder.encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    private static func failure(_ data: Data, _ answer: HTTPURLResponse) -> Hibana.Failure {
        if let problem = try? decoder().decode(Hibana.Problem.self, from: data) {
            return Hibana.Failure(status: answer.statusCode, code: problem.code, message: problem.detail, problem: problem)
        }
        // Something between the app and the API answered.
        return Hibana.Failure(
            status: answer.statusCode, code: "unreadable", message: "the answer is \(answer.statusCode)", problem: nil)
    }

    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder -> Date in
            let value = try decoder.singleValueContainer()
            let text = try value.decode(String.self)
            guard let time = Self.date(text) else {
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "no time: \(text)")
            }
            return time
        }
        return decoder
    }

    /// Reads the fraction of a second apart, because the formatter does not read microseconds everywhere.
    private static func date(_ text: String) -> Date? {
        guard let dot = text.firstIndex(of: ".") else { return ISO8601DateFormatter().date(from: text) }
        let rest = text[text.index(after: dot)...]
        let digits = rest.prefix { $0.isNumber }
        let whole = String(text[..<dot]) + String(rest.dropFirst(digits.count))
        return ISO8601DateFormatter().date(from: whole)?.addingTimeInterval(Double("0.\(digits)") ?? 0)
    }
}
