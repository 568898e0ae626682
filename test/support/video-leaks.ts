// Looks for secrets in everything that a bot has written, in every encoding in which one may leak.
import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../sandbox/world.ts";

/** The places where a secret may leak, and all text that was written there. */
export type Places = Readonly<Record<string, string>>;

/** The parts of a world with secrets. */
interface Secretive {
  readonly env: World["env"];
  readonly video: Pick<World["video"], "tokens" | "appSecret">;
}

/** All places except messages and database files, which the caller adds. */
export function placesOf({ bot, discord, video }: World): Places {
  return {
    log: bot.log.join("\n"),
    // All requests to Discord, whatever their result; recorded without the bot's own token.
    requests: JSON.stringify(discord.requests),
    // An address may be logged on the way.
    addresses: video.ledger.map(({ path }) => path).join("\n"),
  };
}

/** The contents of all files in a folder, one character per byte. */
export async function readFolder(folder: string): Promise<Places> {
  const names = await readdir(folder);
  const entries = names.map(async (name) => [name, await readFile(join(folder, name), "latin1")] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** The answer of `/health`. */
export async function readHealth(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  return answer.text();
}

/** One line for each secret of a world that is in one of these places. The line does not contain the secret. */
export function findLeaks({ env, video }: Secretive, places: Places): readonly string[] {
  const { SECRET_KEY = "", DISCORD_TOKEN = "" } = env;
  const { tokens, appSecret } = video;
  const proofs = Object.entries(tokens).map(
    ([name, token]) =>
      [`proof of the token ${name}`, createHmac("sha256", appSecret).update(token).digest()] as const,
  );
  const secrets: readonly (readonly [name: string, bytes: Buffer])[] = [
    ...Object.entries(tokens).map(([name, token]) => [`token ${name}`, Buffer.from(token)] as const),
    ...proofs,
    ["the application's secret", Buffer.from(appSecret)],
    ["SECRET_KEY", Buffer.from(SECRET_KEY, "base64")],
    ["SECRET_KEY as it is written", Buffer.from(SECRET_KEY)],
    ["the bot's token", Buffer.from(DISCORD_TOKEN)],
  ];
  return Object.entries(places).flatMap(([place, text]) =>
    secrets
      .filter(([, bytes]) => formsOf(bytes).some((form) => text.includes(form)))
      .map(([name]) => `${name} is in ${place}`),
  );
}

function formsOf(secret: Buffer): readonly string[] {
  const plain = secret.toString("latin1");
  const encoded = (["base64", "base64url", "hex"] as const).map((encoding) => secret.toString(encoding));
  return [plain, encodeURIComponent(plain), ...encoded].map((form) => form.replace(/=+$/, ""));
}
