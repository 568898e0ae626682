// Changing and deleting videos that were published.
import type { VideoClient } from "../../clients/video/client.ts";
import type { Video } from "../../clients/video/read-video.ts";
import type { Clock } from "../../core/clock.ts";
import type { PublicationChanges, PublicationsTable } from "../../storage/publications-table.ts";
import type { VideoRecordsTable } from "../../storage/video-records-table.ts";
import type { Actor, VideoAct, VideoRules } from "../video-settings/video-settings.ts";
import { formatProblem } from "../publish/kept-problem.ts";
import { checkUnseen } from "./check-unseen.ts";
import type { OwnVideo, OwnVideos } from "./own-video.ts";
import { isChanged, readEdit } from "./read-edit.ts";
import { isGone, settleWrite } from "./settle-write.ts";
import type { DeleteOutcome, Videos } from "./videos.ts";
import { OUT_OF_SIGHT } from "./sight.ts";

export interface ChangeDependencies {
  readonly rules: Pick<VideoRules, "checkPublisher" | "settings" | "write" | "attempt">;
  readonly publications: Pick<PublicationsTable, "get" | "change">;
  readonly records: Pick<VideoRecordsTable, "removeSamples">;
  readonly client: Pick<VideoClient, "read" | "update" | "delete">;
  readonly own: OwnVideos;
  /** Has the publication's message say the same, soon. */
  readonly nudge: () => void;
  /** What was read before is out of date. */
  readonly forget: () => void;
  readonly clock: Clock;
}

/** How often a row is tried that others change as well. */
const ROW_TRIES = 5;
/** What acts say of a deletion that found nothing: which of the two it is, the service tells nobody. */
const GONE_NOTE = "the service no longer had it, or no longer showed it to me";

export function createVideoChanges(dependencies: ChangeDependencies): Pick<Videos, "edit" | "delete"> {
  const { rules, publications, records, client, own, nudge, forget, clock } = dependencies;

  /** Also wakes the runner, so that the publication's message says the same. */
  async function changeRow({ publication }: OwnVideo, changes: PublicationChanges): Promise<void> {
    if (publication === undefined) {
      return;
    }
    for (let tries = 0; tries < ROW_TRIES; tries += 1) {
      const row = await publications.get(publication.id);
      if (row === undefined || (await publications.change(row, { ...changes, nextAtMs: clock.now() }))) {
        nudge();
        return;
      }
    }
  }

  return {
    async edit(guildId, videoId, edit, by) {
      await rules.checkPublisher(guildId, by, "change a video");
      const found = await own.open(guildId, videoId, by, "change a video");
      const { timeZone } = await rules.settings(guildId);
      const video = await own.read(found, false);
      await checkUnseen(rules, found, video, by);
      const change = readEdit(edit, video, { timeZone, nowMs: clock.now() });
      const outcome = await rules.attempt(lineOf(found, "edited", by, change.title), () =>
        settleWrite(
          clock,
          () => own.ask(found, (account) => client.update(account, videoId, change)),
          async () => isChanged(await own.read(found, false), change),
        ),
      );
      forget();
      if (outcome === "done") {
        const { title, description, publishAtMs } = change;
        await changeRow(found, {
          ...(title !== undefined && { title }),
          ...(description !== undefined && { description }),
          ...(publishAtMs !== undefined && { publishAtMs }),
        });
      }
      return outcome;
    },
    async delete(guildId, videoId, by) {
      await rules.checkPublisher(guildId, by, "delete a video");
      const found = await own.open(guildId, videoId, by, "delete a video");
      const read = (): Promise<Video> =>
        own.ask(found, (account) => client.read(account, videoId, { withShares: false }));
      let wasGone = false;
      const outcome = await rules.attempt(
        lineOf(found, "deleted", by),
        async (): Promise<DeleteOutcome> => {
          const settled = await settleWrite(
            clock,
            async () => {
              wasGone = await isGone(() => own.ask(found, (account) => client.delete(account, videoId)));
            },
            () => isGone(read),
          );
          return settled === "done" && wasGone ? "gone" : settled;
        },
        { gone: GONE_NOTE },
      );
      forget();
      if (outcome !== "unknown") {
        const problem = outcome === "gone" ? formatProblem({ problem: OUT_OF_SIGHT }) : undefined;
        await changeRow(found, { state: "deleted", stateAtMs: clock.now(), problem });
        await records.removeSamples(guildId, videoId);
      }
      return outcome;
    },
  };
}

/** The line of a write; its note is the title unless it ends otherwise. */
function lineOf({ guildId, videoId, publication }: OwnVideo, act: VideoAct, by: Actor, title?: string) {
  const note = title ?? publication?.title;
  return { guildId, actorId: by.userId, act, publicationId: publication?.id, videoId, note };
}
