import { defineConfig, type OxlintOverride } from "oxlint";
import { IMPORTED_BY, MAY_IMPORT } from "./test/support/structure.ts";

/** A folder's path in an import: without `src` from inside, with it from outside. */
const nameFrom = (folder: string, other: string) =>
  folder.startsWith("src") ? other.replace("src/", "") : other;

/** A relative path that does not lead to src. */
const BETWEEN_COMMANDS = {
  group: ["./**", "../**", "!**/src/**"],
  message: "No command imports another: what they share belongs to their feature.",
};

/** Lint's check of the structure; test/architecture.test.ts checks the same in another way. */
const folders = Object.entries(MAY_IMPORT).map(([folder, mayImport]): OxlintOverride => ({
  files: [`${folder}/**/*.{ts,tsx}`],
  // Tables are in the features; test/architecture.test.ts checks them.
  excludeFiles: [`${folder}/**/*-table.ts`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: Object.entries(IMPORTED_BY)
          .filter(
            ([, places]) =>
              !places.some((place) => `${folder}/`.startsWith(`${place}/`) || place.startsWith(`${folder}/`)),
          )
          .map(([name, places]) => ({ name, message: `Only ${places.join(", ")} may import it.` })),
        patterns: Object.keys(MAY_IMPORT)
          // Files directly in src, such as src/app.ts, are forbidden too.
          .concat(folder.startsWith("sandbox") && !mayImport.includes("src/core") ? "src" : [])
          .filter((other) => other !== folder && !mayImport.some((place) => place.startsWith(other)))
          .map((other) => ({
            group: [`**/${nameFrom(folder, other)}/**`],
            message: `${folder} may not import ${other}.`,
          }))
          .concat(folder === "commands" ? BETWEEN_COMMANDS : []),
      },
    ],
  },
}));

export default defineConfig({
  plugins: ["typescript", "unicorn", "import", "node", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  env: { node: true, es2024: true },
  rules: {
    eqeqeq: "error",
    "no-console": "error",
    "no-var": "error",
    "prefer-const": "error",
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    // A stylesheet is imported for its side effect.
    "import/no-unassigned-import": ["error", { allow: ["**/*.css"] }],
    "node/no-process-env": "error",
    "typescript/await-thenable": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/only-throw-error": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "unicorn/prefer-node-protocol": "error",
    // TypeScript checks that every path returns; this rule does not recognise an exhaustive switch.
    "typescript/consistent-return": "off",
    // Running one after another is often intended: pages, retries, ticks.
    "no-await-in-loop": "off",
    // An `as` is allowed where a comment says why it is true (STYLE).
    "typescript/no-unsafe-type-assertion": "off",
  },
  overrides: [
    ...folders,
    {
      files: [
        "commands/**/*.ts",
        "*.config.ts",
        "test/fixtures/**/*.ts",
        "test/support/{chromium,postgres}-server.ts",
      ],
      rules: { "import/no-default-export": "off" },
    },
    {
      files: ["src/core/environment.ts", "sandbox/**/*.ts", "bench/**/*.{ts,js}", "test/**/*.ts"],
      rules: { "node/no-process-env": "off" },
    },
    { files: ["test/**/*.ts"], rules: { "unicorn/consistent-function-scoping": "off" } },
    {
      files: ["test/browser/**/*.ts"],
      rules: {
        // These wait for something to appear or disappear, and throw if it does not.
        "vitest/expect-expect": [
          "error",
          { assertFunctionNames: ["expect", "waitForVisible", "waitForText", "waitForHidden"] },
        ],
      },
    },
    { files: ["sandbox/**/*.ts", "bench/**/*.ts"], rules: { "no-console": "off" } },
  ],
});
