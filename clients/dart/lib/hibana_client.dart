/// A client of the API of Hibana.
library hibana_client;

export 'src/hibana.dart' show Answer, Done, Hibana, HibanaException, Outcome, Waiting, pages;
export 'src/operations.dart';
export 'src/types.dart';
