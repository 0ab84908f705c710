import { defineConfig } from "vitest/config";
import client from "./vite.config";

// Tests of what has no page: the state of the client. What people see is tested in a browser.
export default defineConfig({
  resolve: client.resolve ?? {},
  test: {
    environment: "happy-dom",
    include: ["unit/**/*.test.ts"],
    testTimeout: 20_000,
    server: { deps: { inline: [/@tanstack\/react-query/] } }, // by the names of React, too
  },
});
