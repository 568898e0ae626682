// `npm run deploy`: registers the commands with Discord and leaves. The bot does the same when it starts.
import { COMMANDS_DIR } from "./app.ts";
import { compose } from "./compose.ts";
import { systemClock } from "./core/clock.ts";
import { listSecrets, readConfig } from "./core/config.ts";
import { createHttp } from "./core/http.ts";
import { createLog } from "./core/log.ts";
import { deployOnce } from "./discord/deploy.ts";
import { exitCodeOf, explainStart } from "./explain-start.ts";
import type { Messenger } from "./core/ports.ts";
import { openDatabase } from "./database.ts";

const sendNothing = (): Promise<never> =>
  Promise.reject(new Error("nothing is sent while commands are registered"));

const SILENT: Messenger = {
  post: sendNothing,
  edit: sendNothing,
  delete: sendNothing,
  conversation: sendNothing,
  dm: sendNothing,
  publish: sendNothing,
  ownMessages: sendNothing,
  personMessage: sendNothing,
  noticeChannel: sendNothing,
  guildName: sendNothing,
  check: sendNothing,
  member: sendNothing,
  mayManage: sendNothing,
};

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
    http,
    database,
    connection: {
      latencyMs: () => undefined,
      guildCount: () => 0,
      guilds: sendNothing,
      channelName: () => undefined,
      onDeleted: () => undefined,
    },
    directory: { list: () => [] },
    messenger: SILENT,
    rights: { mayUse: sendNothing },
  });
  await deployOnce({ config: config.discord, commandsDir: COMMANDS_DIR, services, log });
  await Promise.all([http.close(), database.close()]);
} catch (error) {
  process.stderr.write(`${explainStart(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
