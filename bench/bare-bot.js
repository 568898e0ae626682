// The rival: what anyone would write with discord.js and nothing else. It answers every command with the
// body that its parent hands it, so that both bots send the same bytes. JavaScript, so that Node's TypeScript
// compiler, which ours does without as well, does not count for it; and it keeps its compiled code as ours does.
import { cacheCompiledCode } from "../src/core/compiled-code.js";

cacheCompiledCode();
const { Client, GatewayIntentBits } = await import("discord.js");

/** @type {import("discord.js").InteractionReplyOptions} */
let answer = { content: "ready" };
// The parent sends what our own bot answered: a message's body, which is what `reply` takes.
process.on("message", (message) => {
  answer = Object(message);
  process.send?.("taken");
});
process.once("disconnect", () => process.exit());

const client = new Client({
  shards: "auto",
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages],
  rest: { api: process.env["DISCORD_API_BASE_URL"] ?? "" },
});
client.on("interactionCreate", (interaction) => {
  if (interaction.isChatInputCommand()) {
    void interaction.reply(answer);
  }
});
client.once("clientReady", () => process.send?.("ready"));
await client.login(process.env["DISCORD_TOKEN"] ?? "");
