// A notice from the owner to everyone with a board: the owner previews it, then each channel with an active board gets it
// once. The progress is stored before each message, so that sending continues after a restart.
import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { UserError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { type Messenger, MessengerError, type MessengerProblem } from "../core/ports.ts";
import type { Reply } from "../core/reply.ts";
import { createShortId } from "../core/component-id.ts";
import type { FactsTable } from "../storage/facts-table.ts";

const noticeSchema = z.object({
  id: z.string(),
  text: z.string(),
  state: z.enum(["draft", "sending", "sent"]),
  /** The number of channels that had an active board when the notice was written. */
  channels: z.number(),
  posted: z.number(),
  /** The number of channels that no longer exist, or where the bot may not write. */
  unreachable: z.number(),
  /** The number of channels that may or may not have got the notice. */
  unsure: z.number(),
  /** The last channel that is done; channels are handled in the order of their ids. */
  doneTo: z.string().optional(),
  /** The channel in which the notice is being posted, and may have been posted. */
  underWay: z.object({ channelId: z.string(), atMs: z.number() }).optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

interface Stored {
  readonly notice: Notice;
  /** The notice as JSON, exactly as it is stored. */
  readonly written: string;
}

/** For some minutes, Discord creates no second message with the same nonce: sending it again is safe. */
const REPEATABLE_MS = 60_000;

/** `later`: nothing was sent, and the next tick retries. */
type Outcome = "posted" | "unreachable" | "unsure" | "later";
const OUTCOMES: Partial<Record<MessengerProblem, Outcome>> = {
  unavailable: "later",
  "slow-down": "later",
  "outcome-unknown": "unsure",
};

async function readStored(facts: Pick<FactsTable, "read">): Promise<Stored | undefined> {
  const written = await facts.read("notice");
  return written === undefined ? undefined : { written, notice: noticeSchema.parse(JSON.parse(written)) };
}

const OUT_OF_DATE = "That notice is out of date. Please use `/operator` again.";

export type Notices = ReturnType<typeof createNotices>;

export function createNotices(deps: {
  readonly facts: Pick<FactsTable, "read" | "change">;
  /** The channels of active boards, without duplicates. */
  readonly boardChannels: () => Promise<readonly string[]>;
  readonly messenger: Pick<Messenger, "post">;
  readonly present: (text: string) => Reply;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { facts, boardChannels, messenger, present, clock, log } = deps;
  const read = () => readStored(facts);

  /** Throws a UserError if another owner or process has changed the notice in the meantime. */
  async function change(from: Stored | undefined, notice: Notice): Promise<Stored> {
    const written = JSON.stringify(notice);
    if (!(await facts.change("notice", from?.written, written))) {
      throw new UserError(OUT_OF_DATE);
    }
    return { written, notice };
  }

  async function post({ id, text }: Notice, channelId: string): Promise<Outcome> {
    try {
      await messenger.post(channelId, present(text), { nonce: `n${id}${BigInt(channelId).toString(36)}` });
      return "posted";
    } catch (error) {
      if (!(error instanceof MessengerError)) {
        throw error;
      }
      log.info({ error, channel: channelId }, "notice not delivered");
      return OUTCOMES[error.problem] ?? "unreachable";
    }
  }

  return {
    last: async () => (await read())?.notice,
    /** Throws a UserError while another notice is being sent, or if no channel has a board. */
    async draft(text: string): Promise<Notice> {
      const last = await read();
      if (last?.notice.state === "sending") {
        throw new UserError("A notice is still being sent. Please write the next one once it has arrived.");
      }
      const channels = (await boardChannels()).length;
      if (channels === 0) {
        throw new UserError("No channel has a board, so nobody would get a notice.");
      }
      const none = { posted: 0, unreachable: 0, unsure: 0 };
      return (await change(last, { id: createShortId(), text, state: "draft", channels, ...none })).notice;
    },
    /** Makes the next ticks post the notice. Throws a UserError if another notice was written since. */
    async send(id: string): Promise<Notice> {
      const last = await read();
      if (last?.notice.id !== id) {
        throw new UserError(OUT_OF_DATE);
      }
      const { notice } = last;
      return notice.state === "draft" ? (await change(last, { ...notice, state: "sending" })).notice : notice;
    },
    /** Posts the notice. Ends early if Discord cannot be reached; the next call continues. */
    async work(progress: () => void): Promise<void> {
      let current = await read();
      if (current?.notice.state !== "sending") {
        return;
      }
      const { underWay } = current.notice;
      const active = await boardChannels();
      if (
        underWay !== undefined &&
        (Math.abs(clock.now() - underWay.atMs) > REPEATABLE_MS || !active.includes(underWay.channelId))
      ) {
        const unsure = current.notice.unsure + 1;
        current = await change(current, {
          ...current.notice,
          unsure,
          doneTo: underWay.channelId,
          underWay: undefined,
        });
      }
      const { doneTo = "0" } = current.notice;
      const left = active.filter((id) => compareIds(id, doneTo) > 0).toSorted(compareIds);
      for (const channelId of left) {
        const atMs = channelId === underWay?.channelId ? underWay.atMs : clock.now();
        current = await change(current, { ...current.notice, underWay: { channelId, atMs } });
        const outcome = await post(current.notice, channelId);
        if (outcome === "later") {
          // If this message may have been posted before a crash, that stays stored.
          if (channelId !== underWay?.channelId) {
            await change(current, { ...current.notice, underWay: undefined });
          }
          return;
        }
        const counted = { [outcome]: current.notice[outcome] + 1, doneTo: channelId, underWay: undefined };
        // Stored together with the next channel.
        current = { ...current, notice: { ...current.notice, ...counted } };
        progress();
      }
      const { id, channels, posted } = (await change(current, { ...current.notice, state: "sent" })).notice;
      log.info({ notice: id, channels, posted }, "notice sent");
    },
  };
}

/** Ends a notice that was being sent when the restored backup was made, so that no channel gets it twice. */
export async function endRestoredNotice(facts: Pick<FactsTable, "read" | "change">): Promise<void> {
  const { notice, written } = (await readStored(facts)) ?? {};
  if (notice?.state === "sending") {
    const unsure = notice.channels - notice.posted - notice.unreachable;
    await facts.change("notice", written, JSON.stringify({ ...notice, unsure, state: "sent" }));
  }
}

function compareIds(a: string, b: string): number {
  return Number(BigInt(a) - BigInt(b) > 0n) - Number(BigInt(a) - BigInt(b) < 0n);
}
