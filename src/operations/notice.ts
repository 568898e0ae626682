// A notice to everyone who has a board: the owner writes it and sees it first, then each channel with an active board gets
// it once. How far it has come is noted before each message, so that it goes on after a restart.
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
  /** Channels that had a board when it was written. */
  channels: z.number(),
  posted: z.number(),
  /** Channels that are gone, or where the bot may not write. */
  unreachable: z.number(),
  /** Channels that may or may not have got it. */
  unsure: z.number(),
  /** The last channel that is done, in the order of ids. */
  doneTo: z.string().optional(),
  /** A channel in which it may have been posted. */
  underWay: z.object({ channelId: z.string(), atMs: z.number() }).optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

interface Stored {
  readonly notice: Notice;
  /** As it stands in the database. */
  readonly written: string;
}

/** For some minutes, Discord posts no second message with the same nonce, so for this long after a crash it may be sent again. */
const REPEATABLE_MS = 60_000;

/** `later`: nothing was sent, and the next tick tries again. */
type Outcome = "posted" | "unreachable" | "unsure" | "later";
const OUTCOMES: Partial<Record<MessengerProblem, Outcome>> = {
  unavailable: "later",
  "slow-down": "later",
  "outcome-unknown": "unsure",
};

const OUT_OF_DATE = "That notice is out of date. Please use `/operator` again.";

export type Notices = ReturnType<typeof createNotices>;

export function createNotices(deps: {
  readonly facts: Pick<FactsTable, "read" | "change">;
  /** The channels of active boards, each once. */
  readonly boardChannels: () => Promise<readonly string[]>;
  readonly messenger: Pick<Messenger, "post">;
  readonly present: (text: string) => Reply;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { facts, boardChannels, messenger, present, clock, log } = deps;
  async function read(): Promise<Stored | undefined> {
    const written = await facts.read("notice");
    return written === undefined ? undefined : { written, notice: noticeSchema.parse(JSON.parse(written)) };
  }

  /** Throws where somebody else changed it meanwhile: another owner, or another process. */
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
    /** Stores a text, to be shown and then sent. Throws a UserError while another is on its way, or without a board. */
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
    /** Lets the next ticks post it. Throws a UserError if another was written since. */
    async send(id: string): Promise<Notice> {
      const last = await read();
      if (last?.notice.id !== id) {
        throw new UserError(OUT_OF_DATE);
      }
      const { notice } = last;
      return notice.state === "draft" ? (await change(last, { ...notice, state: "sending" })).notice : notice;
    },
    /** Posts what is to be posted; ends early where Discord cannot be reached, and goes on with the next call. */
    async work(progress: () => void): Promise<void> {
      let at = await read();
      if (at?.notice.state !== "sending") {
        return;
      }
      const { underWay } = at.notice;
      if (underWay !== undefined && Math.abs(clock.now() - underWay.atMs) > REPEATABLE_MS) {
        const unsure = at.notice.unsure + 1;
        at = await change(at, { ...at.notice, unsure, doneTo: underWay.channelId, underWay: undefined });
      }
      const { doneTo = "0" } = at.notice;
      const left = (await boardChannels()).filter((id) => compareIds(id, doneTo) > 0).toSorted(compareIds);
      for (const channelId of left) {
        const atMs = channelId === underWay?.channelId ? underWay.atMs : clock.now();
        at = await change(at, { ...at.notice, underWay: { channelId, atMs } });
        const outcome = await post(at.notice, channelId);
        if (outcome === "later") {
          // What may have been posted before a crash stays noted.
          if (channelId !== underWay?.channelId) {
            await change(at, { ...at.notice, underWay: undefined });
          }
          return;
        }
        const counted = { [outcome]: at.notice[outcome] + 1, doneTo: channelId, underWay: undefined };
        // Written with the next channel.
        at = { ...at, notice: { ...at.notice, ...counted } };
        progress();
      }
      const { id, channels, posted } = (await change(at, { ...at.notice, state: "sent" })).notice;
      log.info({ notice: id, channels, posted }, "notice sent");
    },
  };
}

/** Ends one that was on its way when a backup was made that is restored: no channel may get it twice. */
export async function endRestoredNotice(facts: Pick<FactsTable, "read" | "change">): Promise<void> {
  const written = await facts.read("notice");
  const notice = written === undefined ? undefined : noticeSchema.parse(JSON.parse(written));
  if (written !== undefined && notice?.state === "sending") {
    const unsure = notice.channels - notice.posted - notice.unreachable;
    await facts.change("notice", written, JSON.stringify({ ...notice, unsure, state: "sent" }));
  }
}

function compareIds(a: string, b: string): number {
  return Number(BigInt(a) - BigInt(b) > 0n) - Number(BigInt(a) - BigInt(b) < 0n);
}
