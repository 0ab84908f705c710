"use strict";

// Runs the Auth emulator of firebase-tools, and nothing else of it:
//
//     node start-auth.js HOST PORT PROJECT
//
// `firebase emulators:start --only auth` runs the same class but takes about eight seconds. Most of that goes into compiling a
// JSON schema validator for every operation of the API before the first request; lazyCompileValidationSchemas is the option of
// exegesis that compiles each one when it is first used, and requests are validated just the same. There is no emulator hub and
// no logging socket either, so two emulators on one machine share no port.

const [host, port, projectId] = process.argv.slice(2);

const exegesis = require("exegesis-express");
const { middleware } = exegesis;
exegesis.middleware = (spec, options) => middleware(spec, { ...options, lazyCompileValidationSchemas: true });

// The logger is silent unless it is told that it runs for the command line. It prints the links of the e-mails that the
// emulator does not send.
process.env.IS_FIREBASE_CLI = "true";
require("firebase-tools/lib/logger").useConsoleLoggers();

const { AuthEmulator, SingleProjectMode } = require("firebase-tools/lib/emulator/auth");
const { EmulatorRegistry } = require("firebase-tools/lib/emulator/registry");

EmulatorRegistry.start(
  new AuthEmulator({ host, port: Number(port), projectId, singleProjectMode: SingleProjectMode.NO_WARNING }),
).catch((err) => {
  console.error(err);
  process.exit(1);
});
