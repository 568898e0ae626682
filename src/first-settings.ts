// Asks for the settings at the first start in a terminal, and writes them to .env. It uses Node's readline, because a library
// for prompts would be a dependency of every installation, for a single minute.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Variable, findProblem } from "./core/environment.ts";

export type Settings = ReadonlyMap<Variable, string>;

/** Asks a question. A hidden answer is not shown while it is typed. Throws if no answer will come. */
type Ask = (question: string, isHidden: boolean) => Promise<string>;

const INTRODUCTION = `There is no .env file yet. Answer a few questions, and the bot writes one and starts. Press Enter to leave a service
out. Keys and tokens are not shown as you paste them. .env.example explains every variable.

`;

type Question = readonly [name: Variable, question: string];

/** Asks for all settings. Returns `undefined` if no token was typed, because then no settings are wanted. */
export async function askSettings(ask: Ask, say: (text: string) => void): Promise<Settings | undefined> {
  const settings = new Map<Variable, string>();

  /** Repeats each question until the answer is valid. Returns false if the first is empty, which skips the service. */
  async function askGroup(...questions: readonly Question[]): Promise<boolean> {
    for (const [index, [name, question]] of questions.entries()) {
      while (!settings.has(name)) {
        const text = (await ask(`${question}: `, /_(?:KEY|TOKEN)$/.test(name))).trim();
        if (text === "" && index === 0) {
          return false;
        }
        const problem = text === "" ? "is needed here." : findProblem(name, text);
        if (problem === undefined) {
          settings.set(name, text);
        } else {
          say(`${name} ${problem}\n`);
        }
      }
    }
    return true;
  }
  async function confirm(question: string, isDefault: boolean): Promise<boolean> {
    const text = (await ask(`${question} [${isDefault ? "Y/n" : "y/N"}] `, false)).trim();
    return text === "" ? isDefault : /^y(es)?$/i.test(text);
  }

  say(INTRODUCTION);
  const where = "https://discord.com/developers/applications, your application, Bot, Reset Token";
  if (!(await askGroup(["DISCORD_TOKEN", `Bot token (${where})`]))) {
    return undefined;
  }
  const hasTransport = await askGroup(
    ["TRANSPORT_APP_ID", "Trains: app id of the transport service"],
    ["TRANSPORT_APP_KEY", "Its app key"],
    ["TRANSPORT_BUDGET", "How many calls your plan allows, e.g. 30/day or 1000/hour"],
  );
  if (hasTransport && (await confirm("Is the key from developer.transportapi.com?", true))) {
    settings.set("TRANSPORT_DIALECT", "public");
  }
  await askGroup(
    [
      "RAIL_DATA_DEPARTURES_URL",
      "Trains: address of the product Live Departure Board (https://raildata.org.uk)",
    ],
    ["RAIL_DATA_DEPARTURES_KEY", "Its consumer key"],
  );
  if (await confirm("London: tubes, trams, river and buses? It needs no key.", false)) {
    settings.set("TFL", "on");
  }
  await askGroup(
    ["STYLE_API_BASE_URL", "Pictures: address of the style service, without /v1"],
    ["STYLE_API_KEY", "Its key"],
  );
  await askGroup(
    ["VIDEO_ACCESS_TOKEN", "Videos: access token of your own Page"],
    ["VIDEO_GUILDS", "Ids of the servers that may publish with it, with commas between, or * for all"],
  );
  if (await confirm("Videos: may servers link Pages of their own?", false)) {
    settings.set("SECRET_KEY", randomBytes(32).toString("base64"));
  }
  return settings;
}

/** The content of `.env`. Values are quoted if Node would read the rest as a comment (#), or Compose would replace it ($). */
export function formatSettings(settings: Settings): string {
  const lines = [...settings].map(([name, value]) => `${name}=${quoteIfNeeded(value)}`);
  return [
    "# Written at the first start. .env.example explains these variables and all others.",
    ...lines,
    "",
  ].join("\n");
}

function quoteIfNeeded(value: string): string {
  if (!/[#$]/.test(value)) {
    return value;
  }
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

/** Asks for the settings and writes them to a file that only its owner can read. Returns whether it has written the file. */
export async function writeSettings(
  file: string,
  { input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): Promise<boolean> {
  let isHidden = false;
  const shown = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) {
        output.write(chunk);
      }
      done();
    },
  });
  // There is no history, because the Up key would show a token.
  const terminal = createInterface({ input, output: shown, terminal: true, historySize: 0 });
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());

  async function ask(question: string, hides: boolean): Promise<string> {
    const typed = terminal.question(question, { signal: closed.signal });
    isHidden = hides;
    try {
      return await typed;
    } finally {
      isHidden = false;
      output.write(hides ? "\n" : "");
    }
  }

  try {
    const settings = await askSettings(ask, (text) => output.write(text));
    if (settings !== undefined) {
      writeFileSync(file, formatSettings(settings), { mode: 0o600, flag: "wx" });
      output.write(
        `Written to ${file}, which only you can read. If something does not work, \`npm run doctor\` says why.\n`,
      );
    }
    return settings !== undefined;
  } catch (error) {
    // The person pressed Ctrl-C, or the input ended.
    if (closed.signal.aborted) {
      output.write("\n");
      return false;
    }
    throw error;
  } finally {
    terminal.close();
  }
}
