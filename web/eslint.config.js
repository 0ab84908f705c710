import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import { createNodeResolver, importX } from "eslint-plugin-import-x";
import hooks from "eslint-plugin-react-hooks";
import typescript from "typescript-eslint";

// What React has and Preact has not.
const withoutPreact = [
  {
    selector: "JSXAttribute[name.name='autoFocus']",
    message: "Preact gives no focus by it: ref={focus}, of lib/focus.ts.",
  },
  {
    selector: "ImportSpecifier[imported.name=/^(useDeferredValue|useTransition|startTransition)$/]",
    message: "Preact delays nothing by it: useLater, of lib/later.ts.",
  },
];

export default defineConfig(
  globalIgnores(["dist/", "test-results/", "screenshots/"]),
  js.configs.recommended,
  {
    plugins: { "import-x": importX },
    settings: {
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".tsx", ".js"] })],
    },
    // An import at run time closes a cycle as well.
    rules: {
      "import-x/no-cycle": "error",
      "import-x/no-self-import": "error",
      // Imports go one way: app, frame, features, ui, lib.
      "import-x/no-restricted-paths": [
        "error",
        {
          basePath: import.meta.dirname,
          zones: [
            { target: "src/lib", from: ["src/ui", "src/features", "src/frame"] },
            { target: "src/ui", from: ["src/features", "src/frame"] },
            { target: "src/features", from: "src/frame" },
          ],
        },
      ],
    },
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [typescript.configs.recommendedTypeChecked],
    plugins: { "react-hooks": hooks },
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // The other rules of this plugin are for pages that the React Compiler compiles.
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      // A handler of an event may be asynchronous: nothing waits for it.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      // A function may be asynchronous for its callers alone.
      "@typescript-eslint/require-await": "off",
    },
  },
  {
    // The names of what was read stand in keys.ts of the feature.
    files: ["src/**"],
    ignores: ["**/keys.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[
          "Property[key.name='queryKey'] > ArrayExpression",
          "CallExpression[callee.property.name=/Quer(y|ies)(Data|State|Defaults)$/] > ArrayExpression.arguments:first-child",
          "CallExpression[callee.name=/^(amend|changeList|cut)$/] > ArrayExpression.arguments:first-child",
          "CallExpression[callee.name='bring'] > ArrayExpression.arguments",
          "JSXAttribute[name.name='name'] > JSXExpressionContainer > ArrayExpression",
          "VariableDeclarator[id.name=/(^k|K)ey$/] > ArrayExpression",
          "VariableDeclarator[id.name=/(^k|K)ey$/] > TSAsExpression > ArrayExpression",
          "VariableDeclarator[id.name=/(^k|K)ey$/] > ArrowFunctionExpression > ArrayExpression",
        ].map((selector) => ({ selector, message: "Name what is read in keys.ts." })),
        ...withoutPreact,
      ],
    },
  },
  {
    // Tests read answers of the API without their types.
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    // Characters of these classes are meant one by one, also those that join others.
    files: ["src/lib/words.ts"],
    rules: { "no-control-regex": "off", "no-misleading-character-class": "off" },
  },
  {
    files: ["hosting.mjs"],
    languageOptions: { globals: { console: false, process: false, URL: false } },
  },
  {
    files: ["screenshots.mjs"],
    languageOptions: {
      globals: {
        console: false,
        document: false,
        fetch: false,
        innerHeight: false,
        process: false,
      },
    },
  },
  {
    files: ["public/theme.js"],
    languageOptions: { globals: { document: false, localStorage: false, location: false } },
  },
  {
    files: ["src/worker.js"],
    languageOptions: {
      globals: {
        caches: false,
        fetch: false,
        location: false,
        Response: false,
        self: false,
        URL: false,
      },
    },
  },
);
