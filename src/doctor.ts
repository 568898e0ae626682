// `npm run doctor`: checks everything that the bot needs. Changes nothing, and uses plans only if you agree.
import { statSync } from "node:fs";
import { isIP } from "node:net";
import { createInterface } from "node:readline/promises";
import { z } from "zod";
import { COMMANDS_DIR } from "./app.ts";
import { composeUnconnected } from "./compose.ts";
import { CLOCK_TOLERANCE_MS, systemClock as clock } from "./core/clock.ts";
import { type Config, listSecrets, readConfig } from "./core/config.ts";
import { findMisspelt } from "./core/environment.ts";
import {
  ConfigError,
  EXIT_CONFIG,
  EXIT_FAILURE,
  type FailureCode,
  ServiceError,
  type ServiceErrorKind,
} from "./core/errors.ts";
import { DEFAULT_FILE, isLoopback } from "./core/variables.ts";
import { createHttp } from "./core/http.ts";
import { parseJsonAnswer } from "./core/json.ts";
import { createLog, createRedactor } from "./core/log.ts";
import { openSecretBox } from "./core/secret-box.ts";
import { listAnd, plural } from "./core/text.ts";
import { type Database, openDatabase, refuseForgotten } from "./database.ts";
import { examineDiscord } from "./discord/examine-discord.ts";
import { exitCodeOf, listUnset } from "./program.ts";
import { BACKUP_OVERDUE_MS, TOKEN_WARNING_MS } from "./operations/attention-checks.ts";
import { startHealthServer } from "./operations/monitoring.ts";
import { createStyleClient } from "./pictures/client/style-client.ts";
import { readCatalogue } from "./pictures/catalogue.ts";
import { type BudgetTerms, type PlannedService, createBudget } from "./plan/budget.ts";
import { liveQuestion } from "./rail/departures.ts";
import { readSamplePicture } from "./pictures/gallery.ts";
import { planHooks } from "./sources/compose.ts";
import { createRailDataClient } from "./sources/rail-data/rail-data-client.ts";
import { createTflClient } from "./sources/tfl/tfl-client.ts";
import { createTransportClient } from "./sources/transport-api/transport-client.ts";
import { newestBackupMs } from "./storage/backups.ts";
import { type DatabaseState, examineBackupFolder, examineDatabase } from "./storage/examine-database.ts";
import { formatDuration } from "./time/words.ts";
import { checkCanPublish } from "./videos/accounts/check-account.ts";
import { createVideoClient } from "./videos/client/video-client.ts";
import manifest from "../package.json" with { type: "json" };

const USAGE = `npm run doctor [-- --yes | --no-calls]

  --yes       makes the calls that count against a plan (a few for each service) without asking
  --no-calls  makes no call that counts against a plan
`;

const LOW_DISK_BYTES = 100 * 1_048_576;
/** Discord's answers give its time in whole seconds. */
const DATE_STEP_MS = 1_000;
const HTTP_TIMEOUT_MS = 10_000;
/** For a request to this machine. */
const HEALTH_TIMEOUT_MS = 2_000;

const SERVICE_TROUBLE: Partial<Record<ServiceErrorKind, string>> = {
  unavailable: "cannot be reached. Check its address, and this machine's network and clock.",
  timeout: "did not answer in time. Try again later.",
  unauthorised: "does not accept its credentials. Copy them again.",
  "not-permitted": "accepts the credentials, but they do not allow this call.",
  "out-of-credit": "says that the account has no credit left. Top it up.",
  "budget-spent": "has no call left in its plan at the moment.",
  "not-found": "does not know what was asked for. Check its address.",
  "unexpected-answer": "does not answer as expected. Check its address.",
};
/** Failures that last until somebody changes a setting. */
const LASTING_KINDS: ReadonlySet<ServiceErrorKind> = new Set([
  "unauthorised",
  "not-permitted",
  "not-found",
  "unexpected-answer",
]);

const isLasting = (error: unknown): boolean => error instanceof ServiceError && LASTING_KINDS.has(error.kind);

let exitCode: 0 | FailureCode = 0;
let problems = 0;
/** Removes secrets from a text; unchanged until the settings, and so the secrets, are known. */
let redact = (text: string): string => text;

function print(level: "ok" | "note" | "problem", about: string, text: string): void {
  process.stdout.write(`${level.padEnd(7)}  ${about.padEnd(8)}  ${redact(text)}\n`);
}

const ok = (about: string, text: string): void => print("ok", about, text);
const note = (about: string, text: string): void => print("note", about, text);

function problem(about: string, text: string, code: FailureCode = EXIT_CONFIG): void {
  print("problem", about, text);
  problems += 1;
  // A problem that a restart cannot solve is more important than a transient one.
  exitCode = exitCode === EXIT_CONFIG ? EXIT_CONFIG : code;
}

/** Runs one examination. Prints an error as a problem and returns `undefined`. */
async function examine<T>(about: string, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ConfigError) {
      error.problems.forEach((sentence) => problem(about, sentence, exitCodeOf(error)));
    } else if (error instanceof ServiceError) {
      const words = `It ${SERVICE_TROUBLE[error.kind] ?? "failed."} (${error.message})`;
      problem(about, words, isLasting(error) ? EXIT_CONFIG : EXIT_FAILURE);
    } else {
      problem(about, error instanceof Error ? error.message : String(error), EXIT_FAILURE);
    }
    return undefined;
  }
}

async function examineSettings(): Promise<Config | undefined> {
  findMisspelt().forEach((sentence) => note("settings", sentence));
  // There may be no file, if the variables come from elsewhere.
  const mode = statSync(".env", { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    note("settings", "Other users of this machine may read .env. Run `chmod 600 .env`.");
  }
  const config = await examine("settings", async () => {
    const read = readConfig();
    readCatalogue(read.style?.catalogue);
    return read;
  });
  if (config !== undefined) {
    const redactLine = createRedactor(listSecrets(config));
    redact = (text) => String(JSON.parse(redactLine(JSON.stringify(text))));
    const unset = listUnset(config);
    ok("settings", `All settings are valid.${unset.length > 0 ? ` Not set up: ${unset.join(", ")}.` : ""}`);
  }
  return config;
}

function reportDatabase(state: DatabaseState, config: Config): void {
  const { product, version, newest, isInUse, missingRights, encryption, freeBytes = Infinity } = state;
  const about = "database";
  if (version > newest) {
    const words = `A newer Signalbox has used it: it has version ${version}, this program knows ${newest}. Install the newer one.`;
    problem(about, words);
    return;
  }
  if (missingRights.length > 0) {
    const words = `The user in DATABASE_URL lacks ${missingRights.join(", ")}. Grant that.`;
    const instead = " For CREATE, you can also run `npm run migrate` as the owner of the tables.";
    problem(about, `${words}${missingRights.includes("CREATE") ? instead : ""}`);
  }
  if (freeBytes < LOW_DISK_BYTES) {
    const left = Math.round(freeBytes / 1_048_576);
    problem(about, `Its disk has only ${left} MB left. Free some space.`, EXIT_FAILURE);
  }
  const host = URL.parse(config.databaseUrl)?.hostname ?? "";
  const isLocal = host === "" || isLoopback(host);
  if (product.startsWith("PostgreSQL") && encryption === undefined && !isLocal) {
    const words = "The connection is not encrypted. Unless the network is yours alone,";
    note(about, `${words} add ?sslmode=verify-full to DATABASE_URL.`);
  }
  const status =
    version === 0
      ? "empty; the first start sets it up"
      : version === newest
        ? "up to date"
        : `the next start updates it from version ${version} to ${newest}`;
  const how = [encryption, isInUse && "a bot uses it now"].filter(Boolean).join(", ");
  ok(about, `${product}${how === "" ? "" : ` (${how})`}: ${status}.`);
}

function examineBackups({ backups: { folder, days } }: Config, { version }: DatabaseState): void {
  if (days === 0) {
    return;
  }
  examineBackupFolder(folder);
  if (version === 0) {
    return;
  }
  const newestMs = newestBackupMs(folder, clock.now());
  const ageMs = clock.now() - (newestMs ?? -Infinity);
  const words =
    newestMs === undefined
      ? `There is no backup in ${folder} yet.`
      : `The last backup in ${folder} is ${formatDuration(ageMs)} old.`;
  if (ageMs > BACKUP_OVERDUE_MS) {
    note("backups", `${words} A bot that runs makes one a day; if it does not, its log says why.`);
  } else {
    ok("backups", words);
  }
}

async function examineOwner({ facts }: Database, applicationId: string): Promise<void> {
  const owner = await facts.read("application");
  if (owner !== undefined && owner !== applicationId) {
    const words = `It belongs to the Discord application ${owner}, and DISCORD_TOKEN is of ${applicationId}.`;
    problem("database", `${words} Use that application's token, or another database.`);
  }
}

async function examineSecrets({ secretKeys }: Config, { videoAccounts }: Database): Promise<void> {
  const sealed = await videoAccounts.sealed();
  const box = openSecretBox(secretKeys);
  const unreadable = sealed.filter(({ guildId, sealedToken }) => !box?.open(sealedToken, guildId)).length;
  if (unreadable > 0) {
    const words = `${unreadable} of ${sealed.length} linked video accounts cannot be decrypted.`;
    const advice = box
      ? "Add the key that they were encrypted with to SECRET_KEY_OLD."
      : "Set SECRET_KEY to the key that they were encrypted with.";
    problem("secrets", `${words} ${advice}`);
  } else if (box !== undefined) {
    const linked =
      sealed.length === 0
        ? "no video account is linked yet"
        : `it decrypts all linked video accounts (${sealed.length})`;
    ok("secrets", `SECRET_KEY can be used: ${linked}.`);
  }
}

async function examinePort({ http: { port, host } }: Config): Promise<void> {
  if (port === undefined) {
    return;
  }
  const nothing = { health: () => ({ ok: false }), metrics: async () => ({ contentType: "", text: "" }) };
  try {
    await (await startHealthServer({ port, host }, nothing)).close();
    ok("port", `HTTP_PORT ${port} is free on ${host}.`);
  } catch (error) {
    if (!(error instanceof ConfigError && error.isTransient && (await isHealthPage(host, port)))) {
      throw error;
    }
    ok("port", `HTTP_PORT ${port} is in use, as it should be while the bot runs.`);
  }
}

/** Whether a bot's health page answers at this address. */
async function isHealthPage(host: string, port: number): Promise<boolean> {
  const url = new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/health`);
  const limits = { timeoutMs: HEALTH_TIMEOUT_MS, maxBytes: 1_048_576, retries: 0 };
  try {
    const answer = await http.request({ service: "port", verb: "reach", method: "GET", url, ...limits });
    parseJsonAnswer("port", answer, healthSchema);
    return true;
  } catch {
    return false;
  }
}

const healthSchema = z.object({ status: z.string(), shards: z.array(z.unknown()) });

function reportDiscord(state: Awaited<ReturnType<typeof examineDiscord>>): void {
  const { name, id, guilds, wrongSetting, shards, logins, outdated, commands, aheadMs } = state;
  const where = guilds === undefined ? "" : `, in about ${plural(guilds, "server")}`;
  ok("Discord", `The token is of “${name}” (${id})${where}. No privileged intent is needed.`);
  if (wrongSetting !== undefined) {
    problem("Discord", wrongSetting);
  }
  const left = `${logins.left} of ${logins.total} logins are left; a start takes ${shards}`;
  if (logins.left < shards) {
    const words = `${left}. Wait ${formatDuration(logins.resetMs)}, and find out why the bot starts so often.`;
    problem("Discord", words, EXIT_FAILURE);
  } else {
    ok("Discord", `${left}.`);
  }
  if (outdated.length > 0) {
    note("Discord", `The next start, or \`npm run deploy\`, registers: ${outdated.join(", ")}.`);
  } else {
    ok("Discord", `All ${commands} commands are registered.`);
  }
  if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS + DATE_STEP_MS) {
    const by = `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? "ahead of" : "behind"}`;
    const words = `This machine's clock is ${by} Discord's. Synchronise it with NTP.`;
    problem("clock", words, EXIT_FAILURE);
  } else {
    ok("clock", "This machine's clock agrees with Discord's.");
  }
}

async function examineVideo(settings: NonNullable<Config["video"]>): Promise<void> {
  const { accessToken: token } = settings;
  if (token === undefined) {
    await reach("video", settings.baseUrl);
    return;
  }
  const owner = await createVideoClient({ ...settings, http, clock, log }).whoAmI({ token });
  try {
    const missing = checkCanPublish(owner, clock.now());
    const lacks =
      missing.length > 0 ? ` It lacks ${missing.join(", ")}; without them, not everything works.` : "";
    ok("video", `VIDEO_ACCESS_TOKEN is of “${owner.name ?? owner.id}”.${lacks}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problem("video", `VIDEO_ACCESS_TOKEN: ${reason}`);
    return;
  }
  const leftMs = (owner.endsAtMs ?? Infinity) - clock.now();
  if (leftMs < TOKEN_WARNING_MS) {
    const words = `VIDEO_ACCESS_TOKEN ends in ${formatDuration(leftMs)}. Make a new one before that.`;
    note("video", words);
  }
}

/** Sends a request without credentials. Any answer proves that the service can be reached. */
async function reach(service: string, url: URL): Promise<void> {
  const limits = { timeoutMs: HTTP_TIMEOUT_MS, maxBytes: 4 * 1_048_576, retries: 0 };
  await http.request({ service, verb: "reach", method: "GET", url, ...limits });
  ok(service, `${url.host} answers. The credentials were not tried.`);
}

/** Whether the doctor may make calls that count against plans: asks the person unless an option decides. */
async function mayCall(services: readonly string[]): Promise<boolean> {
  if (args.length > 0 || services.length === 0 || !process.stdin.isTTY) {
    return services.length > 0 && args.includes("--yes");
  }
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const words = `Try the credentials of ${listAnd(services)}? This uses a few calls of each plan. [y/N] `;
    return /^y(es)?$/i.test((await ask.question(words)).trim());
  } finally {
    ask.close();
  }
}

/** A plan's budget, and the dependencies of a client whose calls count against it. */
function openPlan(service: PlannedService, terms: BudgetTerms, { spending }: Database) {
  const budget = createBudget({ service, spending, terms, clock, log });
  return { budget, asking: { http, clock, log, ...planHooks(budget, "person") } };
}

/** The services whose calls count against a plan, each with its address and a call that tries its credentials. */
function servicesWithPlans({ transport, railData, tfl, style }: Config) {
  return [
    transport && {
      name: "trains",
      url: transport.baseUrl,
      async call(database: Database) {
        const { budget, asking } = openPlan("transport", transport.budget, database);
        const question = liveQuestion({ kind: "departures", crs: "YRK" });
        try {
          await createTransportClient({ ...transport, ...asking }).board(question);
        } catch (error) {
          if (transport.dialect === "specification" && isLasting(error)) {
            note("trains", "A key from developer.transportapi.com needs TRANSPORT_DIALECT=public.");
          }
          throw error;
        }
        const { used, limit } = await budget.state();
        ok("trains", `The transport service answers. ${used} of ${limit} calls of the plan are used.`);
      },
    },
    railData && {
      name: "railway",
      url: railData.departures.url,
      call: (database: Database) => examineRailData(railData, database),
    },
    tfl && {
      name: "London",
      url: tfl.baseUrl,
      async call(database: Database) {
        const { asking } = openPlan("tfl", tfl.budget, database);
        const { entries } = await createTflClient({ ...tfl, ...asking }).network();
        const lines = new Set(entries.map(({ name }) => name)).size;
        ok("London", `Transport for London answers for ${plural(lines, "line")}.`);
      },
    },
    style && {
      name: "pictures",
      url: style.baseUrl,
      async call(database: Database) {
        const { styles, answer: places } = readCatalogue(style.catalogue);
        const spend = style.budget && openPlan("style", style.budget, database).asking.spend;
        const image = { bytes: await readSamplePicture(), contentType: "image/png" };
        const client = createStyleClient({ ...style, places, spend, http, clock, log });
        await client.process({ image, style: styles[0]?.id ?? "watercolour" });
        ok("pictures", "The style service answers with a picture.");
      },
    },
  ].filter((service) => service !== undefined);
}

async function examineRailData(settings: NonNullable<Config["railData"]>, database: Database): Promise<void> {
  const { asking } = openPlan("rail-data", settings.budget, database);
  const client = createRailDataClient({ settings, ...asking });
  const board = (kind: "departures" | "arrivals") => client.board(liveQuestion({ kind, crs: "YRK" }));
  let trainUid: string | undefined;
  const products = [
    ["departures", async () => void (trainUid = (await board("departures")).rows[0]?.trainUid)],
    ["arrivals", () => board("arrivals")],
    ["service", async () => trainUid !== undefined && (await client.train({ trainUid }))],
    ["disruptions", () => client.network()],
  ] as const;
  for (const [product, ask] of products) {
    // Each product has its own key: if one is refused, the others may still work.
    if (settings[product] !== undefined) {
      const about = `RAIL_DATA_${product.toUpperCase()}`;
      await examine(about, async () => {
        await ask();
        ok(about, "Rail data answers.");
      });
    }
  }
}

async function examineAll(config: Config): Promise<void> {
  const databaseOptions = { url: config.databaseUrl, clock, log };
  const state = await examine("database", async () => {
    const found = await examineDatabase(databaseOptions);
    await refuseForgotten({ url: config.databaseUrl, formerFile: DEFAULT_FILE }, () => found.version);
    return found;
  });
  if (state !== undefined) {
    reportDatabase(state, config);
    await examine("backups", async () => examineBackups(config, state));
  }
  await examine("port", () => examinePort(config));
  const planned = servicesWithPlans(config);
  const isCurrent = state !== undefined && state.version === state.newest;
  const agreed = await mayCall(planned.map(({ name }) => name));
  // The calls are counted in the database. An empty one is set up for that, but an outdated one is not touched.
  const isWanted = isCurrent || (agreed && state?.version === 0);
  const opened =
    isWanted && (await examine("database", () => openDatabase({ ...databaseOptions, exclusive: false })));
  const database = opened || (await openDatabase({ ...databaseOptions, url: "sqlite::memory:" }));
  const discord = await examine("Discord", () =>
    examineDiscord({
      config: config.discord,
      access: config.access,
      commandsDir: COMMANDS_DIR,
      services: composeUnconnected({ config, clock, log, http, database }).services,
      clock,
      log,
    }),
  );
  if (discord !== undefined) {
    reportDiscord(discord);
    await examine("database", () => examineOwner(database, discord.id));
  }
  await examine("secrets", () => examineSecrets(config, database));
  const makesCalls = agreed && database === opened;
  if (agreed && !makesCalls) {
    const words =
      "The bot made no calls that count against a plan, because the database can't count them yet.";
    note("plans", words);
  }
  for (const service of planned) {
    const { name, url } = service;
    await examine(name, () => (makesCalls ? service.call(database) : reach(name, url)));
  }
  const { video } = config;
  if (video) {
    await examine("video", () => examineVideo(video));
  }
  await Promise.all([http.close(), database.close()]);
}

const log = createLog({ level: "silent", secrets: [] });
const http = createHttp({ clock, log });
const args = process.argv.slice(2);
if (args.some((arg) => arg !== "--yes" && arg !== "--no-calls")) {
  process.stderr.write(USAGE);
  process.exitCode = EXIT_FAILURE;
} else {
  process.stdout.write(`Signalbox ${manifest.version} on Node ${process.versions.node}\n\n`);
  const config = await examineSettings();
  await (config && examineAll(config));
  const end = problems === 0 ? "No problem found." : `${plural(problems, "problem")} found.`;
  process.stdout.write(`\n${end}\n`);
  process.exitCode = exitCode;
}
