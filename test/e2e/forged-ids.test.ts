// Presses in another server and in a direct message on components of one server: every stored id, combined with every
// row of that server. Nothing is listed here: the ids come from the list of stored ids, and the rows from the database.
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { createTestDatabase } from "../open.ts";
import { sqlite } from "../support/databases.ts";
import { type Place, type StoredId, postAsBot, pressForged, storedIds } from "../support/forged-presses.ts";
import { reportChecks } from "../support/checked-world.ts";
import { askForApproval, film, openVideoWorld, waitForText } from "../support/video-world.ts";

reportChecks();

/** A morning, before the watched train leaves. */
const MORNING = "2026-11-18T07:30:00Z";
/** The placeholders for rows and for videos in the stored ids. */
const SOME_ROW = /abcd1234|V_-9x+/;
const SOME_VIDEO = /10203040506071818|v-1/;
/** Its argument is a position in the list of the server where it is pressed, not a row. */
const ROUTE_WITHOUT_ROW = "video/settings:history";
/** Words that only the server's own members may read, or that report a bug. */
const LEAKED_WORDS = /Garden|York|went wrong/;
/** Records the attempts. Apart from the counts of uses, no other table may change. */
const AUDIT_TABLE = "videoActs";
/** Counts how often each server uses the bot; every press counts, even a refused one. */
const USES_TABLE = "guildUses";

/**
 * Creates what a server can own: boards, watches, publications in several states, an account, settings, audit entries.
 */
async function fill(world: World): Promise<void> {
  const { general, trains, staff } = world.channels;
  const [ada, grace] = [world.member("Ada"), world.member("Grace")];
  const board = () => grace.slash(trains, "board subscribe", { station: "York", every: "10" });
  await grace.click((await board()).message, "Save");
  await board();
  const train = { station: "York", time: "8:16", to: "Leeds" };
  await ada.click((await ada.slash(trains, "watch train", train)).message, "Save");
  await grace.click((await grace.slash(trains, "watch train", { ...train, where: "here" })).message, "Save");
  await ada.slash(trains, "watch train", { ...train, delay: 30 });
  const card = () => grace.slash(general, "video publish", { file: film("Garden_party.mp4") });
  await grace.click((await card()).message, "Publish now");
  await waitForText(world, grace, general, /Published/);
  await askForApproval(world);
  await grace.click((await card()).message, "Send for approval");
  await waitForText(world, ada, staff, /Approve this video/);
  await card();
  const form = await grace.slash(staff, "video account link");
  await grace.submit(form, { "The Page's access token": world.video.tokens.secondPage });
}

/** All rows of the database, by table. */
function readTables(file: string): ReadonlyMap<string, readonly Record<string, unknown>[]> {
  using database = new DatabaseSync(file, { readOnly: true });
  const names = database.prepare("select name from sqlite_master where type = 'table'").all();
  return new Map(
    names.map(({ name }) => [String(name), database.prepare(`select * from "${String(name)}"`).all()]),
  );
}

interface Press extends StoredId {
  readonly values: readonly string[];
}

/** The rows that a command's components can refer to, by the command's name. */
type Rows = Readonly<Record<string, readonly string[]>>;

/** Every stored id with every row in it, and every row chosen in every menu. */
function forge(rows: Rows, videos: readonly string[]): readonly Press[] {
  const forged = storedIds.flatMap((stored): readonly Press[] => {
    const own = rows[stored.route.replace(/\/.*/, "")] ?? [];
    const found = [
      ...own.map((row) => ({ from: SOME_ROW, row })),
      ...videos.map((row) => ({ from: SOME_VIDEO, row })),
    ].flatMap(({ from, row }) =>
      from.test(stored.id) ? [{ ...stored, id: stored.id.replace(from, row), values: [row] }] : [],
    );
    const chosen = stored.kind === "selects" && found.length === 0 ? own : [];
    return [...found, ...chosen.map((value) => ({ ...stored, values: [value] }))];
  });
  return forged.filter(({ route }) => route !== ROUTE_WITHOUT_ROW);
}

/** One press on each component, each with a different row. */
function onePerRoute(presses: readonly Press[]): readonly Press[] {
  const byRoute = Map.groupBy(presses, ({ kind, route }) => `${kind} ${route}`);
  return [...byRoute.values()].flatMap((same, index) => same[index % same.length] ?? []);
}

it("a press with another server's ids is refused and logged, and changes nothing", async () => {
  const env = { DATABASE_URL: await createTestDatabase(sqlite) };
  const file = env.DATABASE_URL.slice("sqlite:".length);
  await using world = await openVideoWorld({ at: MORNING, env });
  await fill(world);
  await world.tick();

  // Alan is a member of this server and manages the other one.
  const { discord } = world;
  const alan = world.member("Alan");
  const other = discord.addGuild({ name: "Other", memberIds: [alan.id] });
  const hall = discord.addChannel(other, "hall");
  const before = readTables(file);
  const rowsOf = (table: string, column: string) =>
    (before.get(table) ?? []).map((row) => row[column]).filter((value) => typeof value === "string");
  const videos = rowsOf("publications", "videoId");
  const rows = {
    board: rowsOf("boards", "id"),
    watch: rowsOf("watches", "id"),
    video: [...rowsOf("publications", "id"), ...videos, world.guild.id],
  };
  expect({ rows: Object.values(rows).flat().length, videos: videos.length }).toEqual({ rows: 10, videos: 1 });

  for (const channel of [hall, alan.dm()]) {
    const place: Place = { userId: alan.id, channel, messageId: postAsBot(world, channel) };
    const forged = forge(rows, videos);
    // In a DM, the bot asks Discord about the person, and Discord limits how often it may ask.
    expect(forged.length).toBeGreaterThan(400);
    const presses = channel === hall ? forged : onePerRoute(forged);
    const logged = world.bot.log.length;
    const answers = await Promise.all(
      presses.map(({ values, ...press }) => pressForged(world, place, press, values)),
    );
    const seen = answers.map((answer, index) => ({
      id: presses[index]?.id,
      isPrivate: answer.kind === "message" && answer.message.ephemeral,
      text: answer.text,
    }));
    expect(seen.filter(({ isPrivate, text }) => !isPrivate || LEAKED_WORDS.test(text))).toEqual([]);
    const refusals = () =>
      world.bot.log.slice(logged).flatMap((line) => {
        const { msg, task, user } = Object(JSON.parse(line));
        return msg === "interaction refused" && user === alan.id ? [String(task)] : [];
      });
    // The line is logged once Discord has confirmed the answer, which may be after the member sees it.
    await expect.poll(refusals).toHaveLength(presses.length);
    expect(refusals().toSorted()).toEqual(presses.map(({ route }) => route).toSorted());
  }
  await world.tick();
  const after = readTables(file);
  const changed = [...before].filter(
    ([name, kept]) => JSON.stringify(kept) !== JSON.stringify(after.get(name)),
  );
  expect(changed.map(([name]) => name).filter((name) => name !== USES_TABLE)).toEqual([AUDIT_TABLE]);
  const attempts = after.get(AUDIT_TABLE)?.slice(before.get(AUDIT_TABLE)?.length) ?? [];
  expect(new Set(attempts.map(({ act }) => act))).toEqual(new Set(["denied"]));
});
