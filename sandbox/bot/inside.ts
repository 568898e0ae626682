// Runs the bot in this process: it starts fast, and its errors have a stack.
import type { App } from "../../src/app.ts";
import { listSecrets, readConfig } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import type { BotSurroundings, RunningBot } from "./running-bot.ts";

export async function runBotInside(surroundings: BotSurroundings): Promise<RunningBot> {
  const { env, clock, commandsDir, intercept, content, startPictureChild, onLine } = surroundings;
  const config = readConfig(env);
  const log = createLog({
    level: config.logLevel,
    secrets: listSecrets(config),
    destination: { write: onLine },
  });
  // A dynamic import, so that only worlds with a bot inside load the bot's code.
  const { startApp } = await import("../../src/app.ts");
  const ended = Promise.withResolvers<void>();
  let app: App | undefined = undefined;
  const stop = async () => app?.stop();
  app = await startApp({
    config,
    clock,
    databaseNow: () => clock.now(),
    log,
    commandsDir,
    intercept,
    content,
    startPictureChild,
    announce: onLine,
    onFatal: () => ended.resolve(stop()),
  });
  const tick = async () => app?.tick();
  return { pid: undefined, tick, stop, kill: stop, ended: ended.promise };
}
