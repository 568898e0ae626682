// `npm run deploy`: registers the commands with Discord.
import { COMMANDS_DIR } from "./app.ts";
import { composeUnconnected } from "./compose.ts";
import { systemClock } from "./core/clock.ts";
import { listSecrets, readConfig } from "./core/config.ts";
import { createHttp } from "./core/http.ts";
import { createLog } from "./core/log.ts";
import { deployOnce } from "./discord/deploy.ts";
import { runProgram } from "./program.ts";
import { openDatabase } from "./database.ts";

const USAGE =
  "npm run deploy: registers the commands with Discord and ends. The bot does the same when it starts.";

await runProgram(USAGE, async () => {
  const config = readConfig();
  const log = createLog({ level: config.logLevel, secrets: listSecrets(config) });
  const http = createHttp({ clock: systemClock, log });
  // The commands depend only on the settings, so the bot's own database is not needed. The log must not say that one was
  // migrated.
  const quiet = createLog({ level: "silent", secrets: [] });
  const database = await openDatabase({ url: "sqlite::memory:", clock: systemClock, log: quiet });
  const { services } = composeUnconnected({ config, clock: systemClock, log, http, database });
  await deployOnce({
    config: config.discord,
    access: config.access,
    commandsDir: COMMANDS_DIR,
    services,
    log,
  });
  await Promise.all([http.close(), database.close()]);
});
