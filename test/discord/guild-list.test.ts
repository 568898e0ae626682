import { expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createGuildList, createGuildLister } from "../../src/discord/connection.ts";
import type { Read } from "../../src/discord/messenger-requests.ts";
import { createStillClock } from "../support/still-clock.ts";

const MINUTE_MS = 60_000;

/** A bot in this many servers, of which this process has the last. `pages` has the requests to Discord. */
function open(count: number) {
  const clock = createStillClock();
  const all = Array.from({ length: count }, (_, at) => ({
    id: String(1_000 + at),
    name: `Server ${at}`,
    memberCount: at,
  }));
  const state = { isWhole: false, isAway: false, local: all.slice(-1) };
  const pages: string[] = [];
  const read: Read = async (route, schema, query) => {
    pages.push(`${route}?${String(query)}`);
    if (state.isAway) {
      throw new Error("Discord is away");
    }
    const after = query?.get("after") ?? "";
    const limit = Number(query?.get("limit"));
    const found = all.filter(({ id }) => Number(id) > Number(after)).slice(0, limit);
    return schema.parse(
      found.map(({ memberCount, ...guild }) => ({ ...guild, approximate_member_count: memberCount })),
    );
  };
  const list = createGuildList({
    local: () => state.local,
    isWhole: () => state.isWhole,
    listAll: createGuildLister(read),
    clock,
    log: createLog({ level: "silent", secrets: [] }),
  });
  return { list, clock, all, pages, state };
}

it("the guild list reads all servers, 200 per request, and again after five minutes", async () => {
  const { list, clock, all, pages } = open(401);
  expect(await Promise.all([list(), list()])).toEqual([all, all]);
  expect(pages).toEqual([
    "/users/@me/guilds?after=0&limit=200&with_counts=true",
    "/users/@me/guilds?after=1199&limit=200&with_counts=true",
    "/users/@me/guilds?after=1399&limit=200&with_counts=true",
  ]);
  clock.advance(5 * MINUTE_MS - 1);
  await list();
  expect(pages).toHaveLength(3);
  clock.advance(1);
  await list();
  expect(pages).toHaveLength(6);
});

it("the guild list names a server that this process knows only by its id", async () => {
  const { list, all, state } = open(2);
  state.local = [{ id: "1001", name: "1001", memberCount: 0 }];
  expect(await list()).toEqual(all);
  state.isWhole = true;
  expect(await list()).toEqual(state.local);
});

it("the guild list has a server that this process joins at once", async () => {
  const { list, all, state } = open(3);
  await list();
  const joined = { id: "9", name: "New", memberCount: 1 };
  state.local = [...state.local, joined];
  expect(await list()).toEqual([...all, joined]);
});

it("the guild list asks nothing if this process runs all shards", async () => {
  const { list, pages, state } = open(3);
  state.isWhole = true;
  expect(await list()).toEqual(state.local);
  expect(pages).toEqual([]);
});

it("the guild list has this process's own servers while Discord fails, and asks again the next time", async () => {
  const { list, all, state } = open(3);
  state.isAway = true;
  expect(await list()).toEqual(state.local);
  state.isAway = false;
  expect(await list()).toEqual(all);
});
