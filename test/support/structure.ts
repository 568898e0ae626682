// Which folder may import which, and who imports which library: the structure of docs/architecture.md as data.
// Lint (oxlint.config.ts) and test/architecture.test.ts both read it, and check it independently.

/** From top to bottom: each may import those after it. */
const PLATFORM = ["sources", "plan", "jobs", "delivery", "discord", "storage", "render", "time", "core"];
/**
 * Features do not know each other, with these exceptions. Each may import the whole platform, of discord only how a
 * command is written.
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

/** Each folder and what it may import, itself aside. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(PLATFORM.map((folder, place) => [`src/${folder}`, inSrc(PLATFORM.slice(place + 1))])),
  ...Object.fromEntries(
    Object.entries(FEATURES).map(([feature, others]) => [
      `src/${feature}`,
      inSrc([...others, ...PLATFORM.filter((name) => name !== "discord"), ...DEFINE]),
    ]),
  ),
  commands: inSrc([...DEFINE, ...Object.keys(FEATURES), "time", "core"]),
  // Only the launcher of the bot knows the bot.
  sandbox: [],
  "sandbox/bot": ["src/app.ts", "src/core", "sandbox/clock", "sandbox/http"],
  // Could be taken out and used for any bot, with these three.
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
  // The page runs in a browser: of the sandbox it knows types, and lists that Discord has in common with it.
  "sandbox/page/client": [
    "sandbox/control/api",
    "sandbox/control/chat/api.ts",
    "sandbox/discord/actors/member-types.ts",
    "sandbox/discord/entities.ts",
    "sandbox/discord/file-extensions.ts",
    "sandbox/discord/option-types.ts",
  ],
};

/** Each library that few may import, and who: folders, files, or all files with this ending. */
export const IMPORTED_BY: Readonly<Record<string, readonly string[]>> = {
  "discord.js": ["src/discord"],
  undici: ["src/core"],
  "form-data": ["src/core"],
  "p-limit": ["src/boards", "src/core", "src/render", "src/sources", "src/videos"],
  pino: ["src/core"],
  rolldown: ["src/core"],
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

/** What several commands of a feature share. Only commands import it, and other files of the same kind. */
export const FOR_COMMANDS = /^src\/(?!discord\/).*-command\.ts$/;

/** Views turn a value into a reply: they know neither tables nor clients. Nor does what commands share. */
export const PURE = /-(view|words|args|form|command)\.ts$/;
/** What they may not import. */
export const IMPURE = /(-table|-client|\/compose)\.ts$|\/client\//;
