// How often an answer waits for the database. If the database is 300 ms away, members notice each round trip.
import { expect, it } from "vitest";
import type { SeenMessage } from "../../sandbox/discord/actors/member-types.ts";
import { findPostgres } from "../support/databases.ts";
import { openCheckedWorld, reportChecks } from "../support/checked-world.ts";
import { countRoundTrips } from "../support/round-trips.ts";

reportChecks();

const postgres = await findPostgres();
const MAX_ROUND_TRIPS = 3;
/** The bot sometimes queries the database for other reasons, so the least of several attempts counts. */
const TRIES = 3;

it.skipIf(postgres.missing !== undefined)(
  "an answer waits for the database at most three times",
  async () => {
    await using database = await postgres.create();
    const url = new URL(database.url);
    await using trips = await countRoundTrips(Number(url.port));
    url.port = String(trips.port);
    await using world = await openCheckedWorld({ bot: "inside", env: { DATABASE_URL: url.href } });
    const { trains } = world.channels;
    const grace = world.member("Grace");
    const stations = ["YRK", "LDS", "MAN"];
    // A preview uses three connections at once, which may have to be opened first, so it gets more attempts.
    const drafted = ["KGX", "EDB", "NCL", "HUL", "BHM", "GLC", "BRI"];
    const edited = ["CDF", "LIV", "NRW", "PLY", "EXD", "ABD", "INV"];

    async function least<T>(
      ask: (attempt: number, prepared: T | undefined) => Promise<unknown>,
      prepare?: (attempt: number) => Promise<T>,
      tries = TRIES,
    ): Promise<number> {
      const counts: number[] = [];
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const prepared = await prepare?.(attempt);
        counts.push(await trips.during(() => ask(attempt, prepared)));
      }
      return Math.min(...counts);
    }

    const counted = {
      uncached: await least((attempt) =>
        grace.slash(trains, "departures", { station: stations[attempt] ?? "", view: "text" }),
      ),
      cached: await least(() => grace.slash(trains, "departures", { station: "YRK", view: "text" })),
      boards: await least(() => grace.slash(trains, "board list")),
      watches: await least(() => grace.slash(trains, "watch list")),
      timetable: await least((attempt) =>
        grace.slash(trains, "timetable", { station: stations[attempt] ?? "" }),
      ),
      drafted: await least(
        (attempt) => grace.slash(trains, "board subscribe", { station: drafted[attempt] ?? "" }),
        undefined,
        drafted.length,
      ),
      saved: await least(
        (_attempt, draft?: SeenMessage) =>
          draft ? grace.click(draft, "Save") : Promise.reject(new Error("there is no draft")),
        async (attempt) =>
          (await grace.slash(trains, "board subscribe", { station: stations[attempt] ?? "" })).message,
      ),
      edited: await least(
        (attempt) => grace.slash(trains, "board edit", { board: "York", station: edited[attempt] ?? "" }),
        undefined,
        edited.length,
      ),
      about: await least(() => grace.slash(trains, "about")),
    };
    expect(Object.entries(counted).filter(([, count]) => count > MAX_ROUND_TRIPS)).toEqual([]);
    // The proxy really counts.
    expect(counted).toMatchObject({ uncached: 2, edited: MAX_ROUND_TRIPS });
  },
);
