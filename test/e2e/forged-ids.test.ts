// What belongs to one server, pressed from another and from a direct message: every id that the bot has ever written,
// with every row of the server's in it. Nothing is listed here: ids come from the list of stored ones and from what the
// bot posts, rows from the database.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import type { World } from "../../sandbox/world.ts";
import { type Place, type StoredId, postAsBot, pressForged, storedIds } from "../support/forged-presses.ts";
import { reportJudgement } from "../support/judged-world.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";
import { askForApproval, film, openVideoWorld, waitForText } from "../support/video-world.ts";

reportJudgement();

/** A morning before the train that is watched. */
const MORNING = "2026-11-18T07:30:00Z";
/** What stands in the stored ids for rows and for videos. */
const SOME_ROW = /abcd1234|V_-9x+/;
const SOME_VIDEO = /10203040506071818|v-1/;
/** Its id is a place in the list of the server where it is pressed. */
const NO_ROW = "video/settings:history";
/** What only the server's own people know, or a bug of ours. */
const TOLD = /Garden|York|went wrong/;
/** Attempts are written down there: nothing else may be. */
const AUDIT = "videoActs";
/** How often each server uses the bot: that of the press is counted, whatever comes of it. */
const USES = "guildUses";

/** What a server can own: boards, watches, publications in several states, an account, settings, audit entries. */
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

/** All that the database holds, by table. */
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

/** Rows by what the ids of their components begin with. */
type Rows = Readonly<Record<string, readonly string[]>>;

/** Each stored id with each row in it, and each row chosen in each menu. */
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
  return forged.filter(({ route }) => route !== NO_ROW);
}

/** One press on each component, each with another of the rows in turn. */
function onePerRoute(presses: readonly Press[]): readonly Press[] {
  const byRoute = Map.groupBy(presses, ({ kind, route }) => `${kind} ${route}`);
  return [...byRoute.values()].flatMap((same, index) => same[index % same.length] ?? []);
}

it("a press with another server's ids is refused and logged, and changes nothing", async () => {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "signalbox-forged-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "signalbox.db");
  await using world = await openVideoWorld({ at: MORNING, env: { DATABASE_URL: `sqlite:${file}` } });
  await fill(world);
  await world.tick();

  // Alan is a member of the one server and manages the other.
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
    // In a conversation Discord is asked who the person is, and takes only so many questions in a second.
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
    expect(seen.filter(({ isPrivate, text }) => !isPrivate || TOLD.test(text))).toEqual([]);
    const refusals = () =>
      world.bot.log.slice(logged).flatMap((line) => {
        const { msg, task, user } = Object(JSON.parse(line));
        return msg === "interaction refused" && user === alan.id ? [String(task)] : [];
      });
    // The line comes once Discord has confirmed the answer, which may be after the member sees it.
    await expect.poll(refusals).toHaveLength(presses.length);
    expect(refusals().toSorted()).toEqual(presses.map(({ route }) => route).toSorted());
  }
  await world.tick();
  const after = readTables(file);
  const changed = [...before].filter(
    ([name, kept]) => JSON.stringify(kept) !== JSON.stringify(after.get(name)),
  );
  expect(changed.map(([name]) => name).filter((name) => name !== USES)).toEqual([AUDIT]);
  const attempts = after.get(AUDIT)?.slice(before.get(AUDIT)?.length) ?? [];
  expect(new Set(attempts.map(({ act }) => act))).toEqual(new Set(["denied"]));
});
