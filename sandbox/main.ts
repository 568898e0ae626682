// `npm run sandbox`: a local Discord with a page on which you play a member, stand-ins for the services, and the real
// bot in its own process.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDataFolder } from "./bot/data-folder.ts";
import { isNightInUk, parseSandboxOptions, SEED, USAGE, type SandboxOptions } from "./options.ts";
import { createPageRoutes } from "./page/serve-page.ts";
import { openWorld, type World } from "./world.ts";

/** Real milliseconds that the sandbox waits for the bot's clean stop before it exits anyway. */
const STOP_WITHIN_MS = 1500;

const options = parseSandboxOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.log(options);
  process.exitCode = options === USAGE ? 0 : 2;
} else {
  await run(options);
}

async function run({ port, at, sources, isWithoutBot }: SandboxOptions): Promise<void> {
  // The page is built while everything else starts; a browser that opens it too early waits.
  const page = createPageRoutes();
  page.ready.catch((error: unknown) => console.log("The page could not be built:", error));
  const isFree = await isPortFree(port);
  const dataFolder = openDataFolder();
  const world = await openWorld({
    bot: isWithoutBot ? "none" : "process",
    startsBot: false,
    env: {
      DATABASE_URL: `sqlite:${join(dataFolder, "signalbox.db")}`,
      LOG_LEVEL: process.env["LOG_LEVEL"] ?? "warn",
      OWNER_NOTICES: "on",
    },
    onBotLine: (line) => console.log(`bot: ${line}`),
    clock: "running",
    seed: SEED,
    sources,
    at: at ?? new Date().toISOString(),
    port: isFree ? port : 0,
  });
  world.discord.mount("/", page.routes);
  if (!isFree) {
    console.log(`Port ${port} is taken, so the page is on another one.`);
  }
  greet(world);

  const { bot } = world;
  let isStopping = false;
  const stop = async (exitCode: number) => {
    if (isStopping) {
      return;
    }
    isStopping = true;
    await Promise.race([bot.stop(), pause(STOP_WITHIN_MS)]);
    // A bot that has not stopped in time exits when it notices that the sandbox is gone.
    process.exit(exitCode);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => void stop(0));
  }

  bot.onChange(({ phase, isUnexpected }) => {
    if (phase === "ready") {
      console.log(`The bot is ready (process ${bot.pid ?? "unknown"}).`);
    } else if (isUnexpected && !isStopping) {
      console.log(
        "The bot stopped unexpectedly. See its last lines above, then start it again in the page's inspector.",
      );
    }
  });
  if (isWithoutBot) {
    const file = writeBotSettings(dataFolder, world.env);
    console.log(`No bot is started. To log in with your own, run
  (set -a; . ${file}; npm start)`);
    return;
  }
  console.log("The bot is starting…");
  try {
    await bot.start();
  } catch (error) {
    if (!isStopping) {
      console.log(`The bot didn't start: ${error instanceof Error ? error.message : String(error)}`);
      await stop(1);
    }
  }
}

function greet({ discord, clock }: World): void {
  console.log(`
Signalbox's sandbox: a local stand-in for Discord and for the services behind the bot.
Nothing here is real, and the trains are invented.

  Open  ${discord.baseUrl}
  Type  /departures station: York
  Stop  Ctrl-C
`);
  if (isNightInUk(clock.now())) {
    console.log(
      "It's night in the UK, so few trains run. For rush hour: npm run sandbox -- --at 2026-11-20T17:20",
    );
  }
}

/** Whether the sandbox can listen on this port; always true for 0. */
async function isPortFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    probe.listen(port, "127.0.0.1");
    await once(probe, "listening");
    probe.close();
    await once(probe, "close");
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes the environment for a bot that the sandbox does not start, as a file that a shell can source. Omits
 * `LOG_LEVEL`, so that the bot's own default applies. Returns the file's path.
 */
function writeBotSettings(folder: string, env: Readonly<Record<string, string>>): string {
  const file = join(folder, "bot.env");
  const lines = Object.entries(env)
    .filter(([name]) => name !== "LOG_LEVEL")
    .map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'\n`);
  writeFileSync(file, lines.join(""));
  return file;
}
