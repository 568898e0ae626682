// Looks for secrets in everything that a bot has written, in all forms in which one may slip out.
import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../sandbox/world.ts";

/** Where something may have slipped out, and all that was written there. */
export type Places = Readonly<Record<string, string>>;

/** A world, as far as it has secrets. */
interface Secretive {
  readonly env: World["env"];
  readonly video: Pick<World["video"], "tokens" | "appSecret">;
}

/** Everything outside of messages: give those, and files of the database, beside it. */
export function placesOf({ bot, discord, video }: World): Places {
  return {
    log: bot.log.join("\n"),
    // All that the bot ever asked of Discord, whatever became of it; recorded without its own token.
    requests: JSON.stringify(discord.requests),
    // What is in an address may be logged on the way.
    addresses: video.ledger.map(({ path }) => path).join("\n"),
  };
}

/** The bytes of all files in a folder, each byte a character. */
export async function readFolder(folder: string): Promise<Places> {
  const names = await readdir(folder);
  const entries = names.map(async (name) => [name, await readFile(join(folder, name), "latin1")] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** What the bot tells whoever watches it. */
export async function readHealth(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  return answer.text();
}

/** A line for each secret of a world that stands in one of these places; the secret is not in the line. */
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
      .map(([name]) => `${name} stands in ${place}`),
  );
}

function formsOf(secret: Buffer): readonly string[] {
  const plain = secret.toString("latin1");
  const encoded = (["base64", "base64url", "hex"] as const).map((encoding) => secret.toString(encoding));
  return [plain, encodeURIComponent(plain), ...encoded].map((form) => form.replace(/=+$/, ""));
}
