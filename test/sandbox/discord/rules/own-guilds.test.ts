import { expect, it } from "vitest";
import { openRawScene } from "../raw-bot.ts";

it("lists only the guilds that the bot is in, by id and page by page", async () => {
  await using scene = await openRawScene();
  const { discord } = scene;
  const memberIds = [discord.member("Ada").id];
  const own = [discord.community.guild, ...["A", "B"].map((name) => discord.addGuild({ name, memberIds }))];
  discord.addGuild({ name: "Foreign", memberIds, withoutBot: true });
  const ids = own.map(({ id }) => id).toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  const list = async (query: string) => {
    const { json } = await scene.api("GET", `/users/@me/guilds?${query}`);
    return Array.isArray(json) ? json.map((guild: { readonly id: string }) => guild.id) : [];
  };
  expect(await list("")).toEqual(ids);
  expect(await list("limit=2")).toEqual(ids.slice(0, 2));
  expect(await list(`after=${ids[0]}&limit=1`)).toEqual([ids[1]]);
  expect(await list(`before=${ids[2]}&limit=1`)).toEqual([ids[1]]);
});
