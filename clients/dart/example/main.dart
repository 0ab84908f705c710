import 'dart:convert';
import 'dart:io';

import 'package:hibana_client/hibana_client.dart';
import 'package:http/http.dart' as http;

/// Signs up at the Auth emulator, as the Firebase SDK does in an app: `await user.getIdToken(fresh)`.
Future<String> signUp(String auth) async {
  final email = 'ann${DateTime.now().microsecondsSinceEpoch}@example.com';
  final answer = await http.post(
    Uri.parse('$auth/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any'),
    headers: {'Content-Type': 'application/json'},
    body: jsonEncode({'email': email, 'password': 'sparkler', 'returnSecureToken': true}),
  );
  return (jsonDecode(answer.body) as Map<String, dynamic>)['idToken'] as String;
}

Future<void> main() async {
  final idToken = await signUp(Platform.environment['AUTH'] ?? 'http://127.0.0.1:9099');
  final hibana = Hibana(
    baseUrl: Platform.environment['API'] ?? 'http://127.0.0.1:8000',
    token: (fresh) async => idToken,
  );
  final name = 'ann_${DateTime.now().microsecondsSinceEpoch % 1000000000}';
  await hibana.createUser(NewUser(username: name, nickname: 'Ann'));

  final posted = await hibana.createTweet(const NewTweet(content: 'Sparks fly #hibana'));
  if (posted is! Done<Tweet, HeldNotice>) throw StateError('a reply waits for approval');
  final id = posted.value.id;

  var home = await hibana.getTimeline();
  while (!home.items.any((tweet) => tweet.id == id)) {
    // Home follows by an event, within a second or so.
    await Future<void>.delayed(const Duration(milliseconds: 500));
    home = await hibana.getTimeline();
  }
  for (final tweet in home.items) {
    print('home: ${tweet.author.nickname} ${tweet.snippet}');
  }

  await hibana.like(id);
  await hibana.deleteTweet(id);
  try {
    await hibana.like(id);
  } on HibanaException catch (e) {
    print('error: ${e.status} ${e.code}: ${e.message}');
  }
  hibana.close();
}
