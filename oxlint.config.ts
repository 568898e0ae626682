import { defineConfig, type OxlintOverride } from "oxlint";
import { DOORS, ROOMS, SANDBOX_LIBRARIES } from "./test/support/rooms.ts";

/** Lint's half of keeping the rooms apart; the other half is test/architecture.test.ts. */
const rooms = Object.entries(ROOMS).map(([room, mayImport]): OxlintOverride => ({
  files: [`${room}/**/*.{ts,tsx}`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: Object.entries(DOORS)
          .filter(
            ([library, door]) =>
              door !== room &&
              !door.startsWith(`${room}/`) &&
              !(room === "sandbox" && SANDBOX_LIBRARIES.includes(library)),
          )
          .map(([name, door]) => ({ name, message: `Its door is ${door}.` })),
        patterns: Object.keys(ROOMS)
          // Not even what is in no room of src, as src/app.ts.
          .concat(room.startsWith("sandbox") && !mayImport.includes("src/core") ? "src" : [])
          .filter((other) => other !== room && !mayImport.some((place) => place.startsWith(other)))
          .map((other) => ({
            // Within src a room is named without it; from beside it (sandbox, commands) with it.
            group: [`**/${room.startsWith("src") ? other.replace("src/", "") : other}/**`],
            message: `${room} may not know ${other}.`,
          })),
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
    // A stylesheet is imported for what it does.
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
    // TypeScript holds every way to a return; this rule does not see that a switch is exhaustive.
    "typescript/consistent-return": "off",
    // One thing after another is often the point: pages, retries, ticks.
    "no-await-in-loop": "off",
    // An `as` is allowed where a comment says why it is true (STYLE).
    "typescript/no-unsafe-type-assertion": "off",
  },
  overrides: [
    ...rooms,
    {
      files: ["commands/**/*.ts", "*.config.ts", "test/fixtures/**/*.ts", "test/support/postgres-server.ts"],
      rules: { "import/no-default-export": "off" },
    },
    {
      files: ["src/core/config.ts", "sandbox/**/*.ts", "bench/**/*.{ts,js}", "test/**/*.ts"],
      rules: { "node/no-process-env": "off" },
    },
    { files: ["test/**/*.ts"], rules: { "unicorn/consistent-function-scoping": "off" } },
    {
      files: ["test/browser/**/*.ts"],
      rules: {
        // These wait for what is to be seen, and throw where it does not come.
        "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "seen", "said", "gone"] }],
      },
    },
    { files: ["sandbox/**/*.ts", "bench/**/*.ts"], rules: { "no-console": "off" } },
  ],
});
