import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import typescript from "typescript-eslint";

export default defineConfig(
  globalIgnores(["dist/", "dist-test/", "src/schema.ts"]),
  js.configs.recommended,
  {
    plugins: { "import-x": importX },
    settings: { "import-x/resolver-next": [createNodeResolver({ extensions: [".ts"] })] },
    rules: { "import-x/no-cycle": "error", "import-x/no-self-import": "error" },
  },
  {
    files: ["**/*.ts"],
    extends: [typescript.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // A function may be asynchronous for its callers alone.
      "@typescript-eslint/require-await": "off",
      // node:test waits for its tests.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", name: "test", package: "node:test" }] },
      ],
    },
  },
);
