// `npm run deploy`: registers the commands with Discord and leaves. The bot does the same when it starts.
import { COMMANDS_DIR } from "./app.ts";
import { compose } from "./compose.ts";
import { systemClock } from "./core/clock.ts";
import { listSecrets, readConfig } from "./core/config.ts";
import { createHttp } from "./core/http.ts";
import { createLog } from "./core/log.ts";
import { noMeter } from "./core/meter.ts";
import { deployOnce } from "./discord/deploy.ts";
import { exitCodeOf, explainStart } from "./explain-start.ts";
import { openDatabase } from "./database.ts";

/**
 * Stands for a connection to Discord. The services are composed only to see which are configured, and compose uses nothing
 * of it: `never` fits all of its types.
 */
const UNCONNECTED = new Proxy({}, { get: () => () => undefined }) as never;

try {
  const config = readConfig();
  const log = createLog({ level: config.logLevel, secrets: listSecrets(config) });
  const http = createHttp({ clock: systemClock, log });
  // What is registered depends on the settings only, so nothing of the bot's own memory is touched.
  const database = await openDatabase({ url: "sqlite::memory:", clock: systemClock, log });
  const { services } = compose({
    config,
    clock: systemClock,
    log,
    meter: noMeter,
    http,
    database,
    connection: UNCONNECTED,
    directory: UNCONNECTED,
    messenger: UNCONNECTED,
    rights: UNCONNECTED,
    guildAccess: UNCONNECTED,
    blockedGuilds: UNCONNECTED,
  });
  await deployOnce({
    config: config.discord,
    access: config.access,
    commandsDir: COMMANDS_DIR,
    services,
    log,
  });
  await Promise.all([http.close(), database.close()]);
} catch (error) {
  process.stderr.write(`${explainStart(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
