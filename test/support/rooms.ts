// The house on one page: which room may see which, and which library has which door.
// Read by lint (oxlint.config.ts) and by the architecture test, which hold it in two independent ways.

/** Each room and what it may import, itself aside. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/core": [],
  "src/clients": ["src/core"],
  "src/render": ["src/core"],
  "src/storage": ["src/core"],
  "src/services": ["src/clients", "src/render", "src/storage", "src/core"],
  "src/views": ["src/services", "src/render", "src/core"],
  "src/discord": ["src/services", "src/views/video-problem-words.ts", "src/core"],
  "src/jobs": ["src/services", "src/views", "src/core"],
  "src/metrics": ["src/core"],
  commands: ["src/discord/define.ts", "src/discord/define", "src/views", "src/services", "src/core"],
  // Only the launcher of the bot knows the bot.
  sandbox: [],
  "sandbox/bot": ["src/app.ts", "src/core", "sandbox/clock"],
  // Could be taken out and used for any bot, with these three.
  "sandbox/discord": ["sandbox/clock/clock.ts", "sandbox/faults", "sandbox/http"],
  "sandbox/clock": [],
  "sandbox/faults": [],
  "sandbox/http": ["sandbox/clock/clock.ts", "sandbox/faults"],
  // The page runs in a browser: of the sandbox it knows types, and one list of numbers.
  "sandbox/page/client": [
    "sandbox/control/api",
    "sandbox/control/chat/api.ts",
    "sandbox/discord/actors/acts.ts",
    "sandbox/discord/entities.ts",
    "sandbox/discord/option-types.ts",
  ],
};

/** Each library that has one door, and the room that is its door. */
export const DOORS: Readonly<Record<string, string>> = {
  "discord.js": "src/discord",
  undici: "src/core",
  "form-data": "src/core",
  pino: "src/core",
  kysely: "src/storage",
  pg: "src/storage",
  "@napi-rs/canvas": "src/render",
  "chart.js": "src/render",
  sharp: "src/render",
  "node-cron": "src/jobs",
  "prom-client": "src/metrics",
  vite: "sandbox/page",
  "playwright-core": "sandbox/visit",
  preact: "sandbox/page/client",
  "@preact/signals": "sandbox/page/client",
};

/** The sandbox is a program of its own: of the libraries above it may use these, for its stand-ins. */
export const SANDBOX_LIBRARIES = ["sharp"];
