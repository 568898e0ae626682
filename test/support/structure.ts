// Which folder may import which, and which files may import a library: the structure of docs/architecture.md as data.
// Lint (oxlint.config.ts) and test/architecture.test.ts both read it, and check it independently.

/** From top to bottom: each may import those below it. */
const PLATFORM = ["sources", "plan", "jobs", "delivery", "discord", "storage", "render", "time", "core"];
/**
 * The features and the exceptions to the rule that they do not import each other. Each may import the whole platform,
 * except that of `discord` only `define` is allowed.
 */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  boards: ["rail"],
  operations: ["discord/directory.ts"],
  pictures: [],
  rail: [],
  travel: ["rail"],
  videos: [],
  watches: ["boards", "rail"],
};

const DEFINE = ["discord/define.ts", "discord/define"];

const inSrc = (folders: readonly string[]) => folders.map((folder) => `src/${folder}`);

/** The folders that each folder may import besides itself. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(PLATFORM.map((folder, place) => [`src/${folder}`, inSrc(PLATFORM.slice(place + 1))])),
  ...Object.fromEntries(
    Object.entries(FEATURES).map(([feature, others]) => [
      `src/${feature}`,
      inSrc([...others, ...PLATFORM.filter((name) => name !== "discord"), ...DEFINE]),
    ]),
  ),
  commands: inSrc([...DEFINE, ...Object.keys(FEATURES), "time", "core"]),
  // Only sandbox/bot, which starts the bot, may import the bot.
  sandbox: [],
  "sandbox/bot": ["src/app.ts", "src/core", "sandbox/clock", "sandbox/http"],
  // Could be extracted and used for any bot, together with these three.
  "sandbox/discord": ["sandbox/clock/clock.ts", "sandbox/faults", "sandbox/http"],
  // The list of London's stops is data, which the stand-in for TfL shares.
  "sandbox/tfl": [
    "src/sources/tfl/london-stops.json",
    "sandbox/clock",
    "sandbox/faults",
    "sandbox/http",
    "sandbox/transport",
  ],
  "sandbox/clock": [],
  "sandbox/faults": [],
  "sandbox/http": ["sandbox/clock/clock.ts", "sandbox/faults"],
  // The page runs in a browser. It imports only types from the sandbox, and lists that Discord's client has too.
  "sandbox/page/client": [
    "sandbox/control/api",
    "sandbox/control/chat/api.ts",
    "sandbox/discord/actors/member-types.ts",
    "sandbox/discord/entities.ts",
    "sandbox/discord/component-types.ts",
    "sandbox/discord/file-extensions.ts",
    "sandbox/discord/option-types.ts",
  ],
};

/** The libraries with restricted imports, and their importers: folders, files, or all files with this ending. */
export const IMPORTED_BY: Readonly<Record<string, readonly string[]>> = {
  "discord.js": ["src/discord"],
  undici: ["src/core"],
  "form-data": ["src/core"],
  "p-limit": ["src/boards", "src/core", "src/render", "src/sources", "src/videos"],
  pino: ["src/core"],
  rolldown: ["src/compile.js"],
  kysely: ["src/storage", "-table.ts"],
  pg: ["src/storage"],
  "@napi-rs/canvas": ["src/render"],
  "chart.js": ["src/render"],
  sharp: ["src/render", "sandbox"],
  "node-cron": ["src/jobs"],
  "prom-client": ["src/operations/metrics.ts"],
  vite: ["sandbox/page"],
  "playwright-core": ["sandbox/visit"],
  preact: ["sandbox/page/client"],
  "@preact/signals": ["sandbox/page/client"],
};

/** Code that several commands of a feature share. Only commands and other files of this kind import it. */
export const FOR_COMMANDS = /^src\/(?!discord\/).*-command\.ts$/;

/** Pure files, such as views: they import no tables and no clients. */
export const PURE = /-(view|words|args|form|command)\.ts$/;
/** Files that pure files may not import. */
export const IMPURE = /(-table|-client|\/compose)\.ts$|\/client\//;
