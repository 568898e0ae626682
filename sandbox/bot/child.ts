// The entry point of the bot's own process: starts the real application with a clock that the sandbox controls.
import { startApp, type App } from "../../src/app.ts";
import { listSecrets, readConfig } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import type { FromBot, ToBot } from "./messages.ts";
import { createSandboxClock, type SandboxClock } from "../clock/clock.ts";

let clock: SandboxClock | undefined;
let app: App | undefined;

/** Acts on the sandbox's messages. `commands` is the folder of commands if the sandbox names no other. */
export function listen(commands: URL): void {
  // Only the sandbox sends messages, so the cast is safe.
  process.on("message", (message) => {
    receive(message as ToBot, commands).catch((error: unknown) => {
      send({ type: "failed", message: error instanceof Error ? error.message : String(error) });
    });
  });
  // The bot must not outlive its sandbox.
  process.on("disconnect", () => process.exit(0));
}

async function receive(order: ToBot, commands: URL): Promise<void> {
  switch (order.type) {
    case "start":
      if (!order.collectsGarbage) {
        globalThis.gc = undefined;
      }
      clock = createSandboxClock({ atMs: order.clock.nowMs, mode: order.clock.mode });
      app = await start(clock, new URL(order.commandsDir ?? commands));
      send({ type: "ready" });
      return;
    case "set-clock":
      await clock?.jump(order.clock.jumpMs);
      await clock?.set(order.clock.nowMs);
      send({ type: "clock-set" });
      return;
    case "tick":
      await app?.tick();
      send({ type: "ticked" });
      return;
    case "stop":
      await app?.stop();
      process.exit(0);
  }
}

function start(sandboxClock: SandboxClock, commandsDir: URL): Promise<App> {
  const config = readConfig();
  const log = createLog({ level: config.logLevel, secrets: listSecrets(config) });
  process.on("unhandledRejection", (error) => log.error({ error }, "a rejection nobody handled"));
  return startApp({
    config,
    clock: sandboxClock,
    databaseNow: () => sandboxClock.now(),
    log,
    onFatal: (_, exitCode) => void end(exitCode),
    commandsDir,
  });
}

async function end(exitCode: number): Promise<void> {
  try {
    await app?.stop();
  } finally {
    process.exit(exitCode);
  }
}

function send(message: FromBot): void {
  process.send?.(message);
}
