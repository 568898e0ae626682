// A bot that publishes videos is killed repeatedly while answers are lost. The same seed gives the same kills and
// faults. Checked against the videos on the service and the messages that members saw.
import { mkdtempDisposable } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import type { World } from "../../sandbox/world.ts";
import { createLog } from "../../src/core/log.ts";
import { openDatabase } from "../../src/database.ts";
import type { PublicationRecord } from "../../src/videos/publications-table.ts";
import { freePort } from "./free-port.ts";
import type { KillCounts } from "./kills.ts";
import { badDays, type UploadMode } from "./video-bad-days.ts";
import { openVideoCampaign, type Counts } from "./video-campaign.ts";
import { findLeaks, placesOf, readFolder, readHealth } from "./video-leaks.ts";
import { checkPublication } from "./video-checks.ts";
import { openVideoWorld } from "./video-world.ts";
import { MEMORY_FOLDER } from "./memory-folder.ts";

/** The result of a campaign. */
export interface VideoKillReport extends Readonly<Counts>, KillCounts {
  /** One line for each broken guarantee. */
  readonly broken: readonly string[];
  /** One line for each leaked secret. */
  readonly leaks: readonly string[];
}

/** Publishes through this many bad days. Chunked uploads use an account that the server has linked. */
export async function runVideoKills(
  seed: number,
  days: number,
  upload: UploadMode,
): Promise<VideoKillReport> {
  await using folder = await mkdtempDisposable(join(MEMORY_FOLDER, "signalbox-videos-"));
  const port = await freePort();
  const databaseUrl = `sqlite:${join(folder.path, "signalbox.db")}`;
  await using world = await openVideoWorld({
    bot: "process",
    env: {
      DATABASE_URL: databaseUrl,
      VIDEO_UPLOAD: upload,
      LOG_LEVEL: "trace",
      HTTP_PORT: String(port),
    },
    // discord.js waits for a channel's bucket in real time, but the clock runs faster.
    settings: { buckets: { "*": { limit: 1_000, windowMs: 1_000 } } },
    video: { windowBytes: () => 25_000 },
  });
  const { counts, killed, messages, finished, playDay } = openVideoCampaign(world);
  if (upload === "chunked") {
    await linkAccount(world);
  }
  for (const day of fc.sample(badDays(upload), { seed, numRuns: days })) {
    await playDay(day);
  }
  const places = {
    ...placesOf(world),
    ...(await readFolder(folder.path)),
    health: await readHealth(port),
    messages: messages.everything.join("\n"),
  };
  await world.bot.stop();
  const ids = finished.map(({ id }) => id);
  const records = await readRecords(world, databaseUrl, ids);
  const broken = finished.flatMap((one, index) =>
    checkPublication({ world, messages, finished: one, record: records[index] }),
  );
  return {
    ...counts,
    ...killed,
    broken: [...messages.falseStatements, ...broken],
    leaks: findLeaks(world, places),
  };
}

async function linkAccount(world: World): Promise<void> {
  const grace = world.member("Grace");
  const form = await grace.slash(world.channels.staff, "video account link");
  await grace.submit(form, { "The Page's access token": world.video.tokens.secondPage });
}

async function readRecords(
  { clock }: World,
  url: string,
  ids: readonly string[],
): Promise<readonly (PublicationRecord | undefined)[]> {
  const database = await openDatabase({ url, clock, log: createLog({ level: "silent", secrets: [] }) });
  const records = await Promise.all(ids.map((id) => database.publications.get(id)));
  await database.close();
  return records;
}
