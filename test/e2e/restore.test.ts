// A backup is restored while a community is active. The bot does not know what it sent after the backup, and sends none
// of it again.
import { mkdtempDisposable } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readStorage } from "../../src/core/config.ts";
import { createLog } from "../../src/core/log.ts";
import { restore } from "../../src/restoring.ts";
import { writeBackup } from "../../src/storage/backups.ts";
import { subscribeBoard, watchBoardPosts } from "../support/board-posts.ts";
import { reportChecks } from "../support/checked-world.ts";
import { MEMORY_FOLDER } from "../support/memory-folder.ts";
import { until } from "../support/until.ts";
import { film, openVideoWorld, waitForText } from "../support/video-world.ts";

reportChecks();

const MINUTE_MS = 60_000;
const MODES = ["post", "edit", "replace"] as const;

it("a restored bot sends no slot, board or video a second time", async () => {
  await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-restore-"));
  const url = `sqlite:${join(folder.path, "signalbox.db")}`;
  await using world = await openVideoWorld({ env: { DATABASE_URL: url, VIDEO_UPLOAD: "chunked" } });
  const { general, trains } = world.channels;
  const grace = world.member("Grace");
  const options = {
    url,
    clock: world.clock,
    log: createLog({ level: "silent", secrets: [] }),
    backups: { folder: folder.path, days: 14 },
    budgets: readStorage({}).budgets,
  };
  const live = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await world.clock.advance(MINUTE_MS);
      await world.tick();
    }
  };
  const posts = watchBoardPosts(world);
  const ids: string[] = [];
  for (const mode of MODES) {
    ids.push(
      await subscribeBoard(world, trains, { station: "York", mode, every: "2 minutes", view: "text" }),
    );
  }
  const held = world.video.faults.add({ path: /start$/, do: "hang" });
  const card = await grace.slash(general, "video publish", { file: film() });
  await grace.click(card.message, "Publish now");
  await until(() => held.hits > 0);
  const { file } = await writeBackup(options, join(folder.path, "backup.db"));

  held.remove();
  await waitForText(world, grace, general, /Published/);
  await live(6);
  const before = posts.ever.length;
  expect(before).toBeGreaterThan(6);
  await world.bot.stop();
  await restore(file, options);
  await world.bot.start();
  // This tick is in the minute of a slot that was sent before.
  await world.tick();
  expect(posts.ever).toHaveLength(before);
  await waitForText(world, grace, general, /Published/);
  await live(6);

  const [post = "", edit = "", replace = ""] = ids;
  const slotsOf = (id: string) =>
    posts.ever.filter(({ boardId }) => boardId === id).map(({ slotMs }) => slotMs);
  expect(slotsOf(post).length).toBeGreaterThan(5);
  for (const id of ids) {
    expect(new Set(slotsOf(id)).size).toBe(slotsOf(id).length);
  }
  expect(slotsOf(edit)).toHaveLength(1);
  expect(posts.standing(edit)).toHaveLength(1);
  expect(posts.standing(replace)).toHaveLength(1);
  expect(world.video.videos()).toHaveLength(1);
  expect(grace.messages(general).filter(({ text }) => text.includes("Published"))).toHaveLength(1);
});
