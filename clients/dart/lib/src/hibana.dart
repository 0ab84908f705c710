import 'dart:convert';
import 'dart:math';

import 'package:http/http.dart' as http;

import 'types.dart';

/// A client of the API. Each operation is a method of the extension in operations.dart.
class Hibana {
  /// [token] gives the caller's ID token, or null for a caller who is signed out. `fresh` asks for a
  /// token that was made now, because the last one has expired. [baseUrl] has no slash at the end.
  Hibana({
    required this.baseUrl,
    required this.token,
    this.attempts = 4,
    this.patience = const Duration(seconds: 10),
    http.Client? transport,
  }) : _http = transport ?? http.Client();

  final String baseUrl;
  final Future<String?> Function(bool fresh) token;

  /// How often a request is sent at most.
  final int attempts;

  /// The longest time that a request waits before it is sent again.
  final Duration patience;
  final http.Client _http;

  /// Sends a request, for what the operations do not offer: a null in [body] is sent as null. Renews
  /// an expired token once. Sends the request again after 429, and after 503 and a failure of the
  /// network unless it is a POST without an Idempotency-Key.
  ///
  /// Throws a [HibanaException] for an answer that is no success, and an [http.ClientException] where
  /// there is none.
  Future<Answer> send(
    String method,
    String path, {
    Map<String, String?> query = const {},
    Map<String, String?> headers = const {},
    Map<String, dynamic>? body,
  }) async {
    final asked = [
      for (final entry in query.entries)
        if (entry.value != null) '${entry.key}=${Uri.encodeComponent(entry.value!)}',
    ];
    final url = Uri.parse(baseUrl + path + (asked.isEmpty ? '' : '?${asked.join('&')}'));
    final repeatable = method != 'POST' || headers['Idempotency-Key'] != null;
    var fresh = false;
    var attempt = 1;
    while (true) {
      final bearer = await token(fresh);
      var wait = Duration(milliseconds: min(250 << attempt, patience.inMilliseconds));
      try {
        final request = http.Request(method, url);
        for (final entry in headers.entries) {
          if (entry.value != null) request.headers[entry.key] = entry.value!;
        }
        if (bearer != null) request.headers['Authorization'] = 'Bearer $bearer';
        if (body != null) {
          request.headers['Content-Type'] = 'application/json';
          request.bodyBytes = utf8.encode(jsonEncode(body));
        }
        final response = await http.Response.fromStream(await _http.send(request));
        final answer = Answer(response.statusCode, utf8.decode(response.bodyBytes));
        if (answer.status < 300) return answer;
        if (answer.status == 401 && bearer != null && !fresh) {
          fresh = true;
          continue;
        }
        final again = answer.status == 429 || (answer.status == 503 && repeatable);
        final told = Duration(seconds: int.tryParse(response.headers['retry-after'] ?? '') ?? 0);
        if (!again || attempt >= attempts || told > patience) throw answer.failure();
        if (told > Duration.zero) wait = told;
      } on http.ClientException {
        if (attempt >= attempts || !repeatable) rethrow;
      }
      attempt++;
      await Future<void>.delayed(wait);
    }
  }

  /// Ends the connections.
  void close() => _http.close();
}

/// An answer of the API.
class Answer {
  Answer(this.status, this.text);

  final int status;
  final String text;

  Map<String, dynamic> get json => jsonDecode(text) as Map<String, dynamic>;

  HibanaException failure() {
    try {
      final problem = Problem.fromJson(json);
      return HibanaException(status, problem.code, problem.detail, problem);
    } on Object {
      // Something between the app and the API answered.
      return HibanaException(status, 'unreadable', 'the answer is $status', null);
    }
  }
}

/// An answer that is no success. Branch on [code], and expect codes that are newer than this client.
class HibanaException implements Exception {
  HibanaException(this.status, this.code, this.message, this.problem);

  final int status;
  final String code;
  final String message;

  /// The problem document, if the answer was one.
  final Problem? problem;

  @override
  String toString() => 'HibanaException: $status $code: $message';
}

/// What a request came to that may have to wait for somebody's approval: [Done] or [Waiting].
sealed class Outcome<D, W> {
  const Outcome();
}

class Done<D, W> extends Outcome<D, W> {
  const Done(this.value);
  final D value;
}

class Waiting<D, W> extends Outcome<D, W> {
  const Waiting(this.value);
  final W value;
}

Outcome<D, W> outcome<D, W>(
  Answer answer,
  D Function(Map<String, dynamic>) done,
  W Function(Map<String, dynamic>) waiting,
) {
  if (answer.status == 202) return Waiting<D, W>(waiting(answer.json));
  return Done<D, W>(done(answer.json));
}

/// The items of a list, page by page, each asked for when it is needed.
///
///     pages((token) async {
///       final page = await hibana.getTimeline(pageToken: token);
///       return (page.items, page.nextPageToken);
///     })
Stream<T> pages<T>(Future<(List<T>, String)> Function(String? pageToken) page) async* {
  String? token;
  do {
    final (items, next) = await page(token);
    yield* Stream.fromIterable(items);
    token = next;
  } while (token.isNotEmpty);
}

/// A key for a request that may be repeated.
String newKey() {
  final random = Random.secure();
  return [for (var i = 0; i < 16; i++) random.nextInt(256).toRadixString(16).padLeft(2, '0')].join();
}
