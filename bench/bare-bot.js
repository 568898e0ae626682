// The rival: the smallest bot with discord.js alone. It answers every command with the body that its parent sends it,
// so that both bots send the same bytes. It is JavaScript, because our bot does not need Node's TypeScript compiler at
// runtime either; and it caches its compiled code as ours does.
import { cacheCompiledCode } from "../src/core/compiled-code.js";

cacheCompiledCode();
const { Client, GatewayIntentBits } = await import("discord.js");

/** @type {import("discord.js").InteractionReplyOptions} */
let answer = { content: "ready" };
// The parent sends our own bot's answer: a message body, which `reply` accepts.
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
