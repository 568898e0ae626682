// A guild's rules for its videos: read, changed, and checked when somebody acts.
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { UserError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { VideoRecordsTable } from "../video-records-table.ts";
import type { Messenger } from "../../core/ports.ts";
import { parseZone } from "../../time/parse-schedule.ts";
import { checkChannel } from "../../delivery/check-channel.ts";
import { createAuditLog } from "./audit-log.ts";
import { isZone } from "../../time/zones.ts";

/** A guild's choice. Roles only narrow what Discord's own permissions allow. */
export interface VideoSettings {
  /** Where approval is asked for; `undefined`: nobody needs any. */
  readonly approvalChannelId: string | undefined;
  /** Who of those who may use /video may approve; `undefined`: all of them. */
  readonly approverRoleId: string | undefined;
  /** Who of those who may use /video may publish and change videos; `undefined`: all of them. */
  readonly publisherRoleId: string | undefined;
  /** IANA name: the zone in which `publish_at` is read. */
  readonly timeZone: string;
}

/** A person who acts, as far as permissions go. */
export interface Actor {
  readonly userId: string;
  /** In the guild that is acted on. */
  readonly roleIds: readonly string[];
}

export interface VideoRulesDependencies {
  readonly records: VideoRecordsTable;
  readonly messenger: Pick<Messenger, "check">;
  /** IANA name: the zone of guilds that have not chosen one. */
  readonly defaultZone: string;
  readonly clock: Clock;
  readonly log: Log;
}

const APPROVAL_WORDS = { act: "ask for approval", otherwise: "choose another channel" };

export function createVideoRules(deps: VideoRulesDependencies) {
  const { records, messenger, defaultZone } = deps;
  const auditLog = createAuditLog(deps);
  /** Changes go one after another: of two at the same time neither is lost. */
  let changing: Promise<unknown> = Promise.resolve();

  async function settings(guildId: string): Promise<VideoSettings> {
    const kept = await records.settings(guildId);
    return complete(kept === undefined ? {} : parseChosen(kept));
  }

  function complete(chosen: Partial<VideoSettings>): VideoSettings {
    return {
      approvalChannelId: chosen.approvalChannelId,
      approverRoleId: chosen.approverRoleId,
      publisherRoleId: chosen.publisherRoleId,
      timeZone: chosen.timeZone ?? defaultZone,
    };
  }

  async function change(guildId: string, changes: Partial<VideoSettings>, by: Actor): Promise<VideoSettings> {
    const before = await settings(guildId);
    const { approvalChannelId, timeZone } = changes;
    if (approvalChannelId !== undefined) {
      const place = { guildId, channelId: approvalChannelId, userId: by.userId };
      await checkChannel(messenger, place, APPROVAL_WORDS);
    }
    const kept = await records.settings(guildId);
    const chosen = {
      ...(kept !== undefined && parseChosen(kept)),
      ...withoutEveryone(guildId, changes),
      ...(timeZone !== undefined && { timeZone: parseZone(timeZone) }),
    };
    const after = complete(chosen);
    const note = describeChange(before, after);
    const act = { guildId, actorId: by.userId, act: "settings-changed", note } as const;
    await auditLog.changeWithAudit(note === "" ? [] : [act], async (lines) => {
      await records.putSettings({ guildId, settings: JSON.stringify(chosen) }, lines);
      return true;
    });
    return after;
  }

  async function deny(guildId: string, by: Actor, what: string, sentence: string): Promise<never> {
    await auditLog.write({ guildId, actorId: by.userId, act: "denied", note: what });
    throw new UserError(sentence);
  }

  return {
    ...auditLog,
    settings,
    /**
     * What is absent stays, `undefined` takes it away; the zone as people type it, e.g. `Paris`. Throws UserError for a
     * channel the bot may not write to or that is another guild's, and for a zone that does not exist.
     */
    change(guildId: string, changes: Partial<VideoSettings>, by: Actor): Promise<VideoSettings> {
      const changed = changing.then(() => change(guildId, changes, by));
      changing = changed.catch(() => undefined);
      return changed;
    },
    /** Throws UserError, and audits the attempt, where this person may not publish or change videos. */
    async checkPublisher(guildId: string, by: Actor, what: string): Promise<void> {
      const { publisherRoleId } = await settings(guildId);
      if (publisherRoleId !== undefined && !by.roleIds.includes(publisherRoleId)) {
        await deny(
          guildId,
          by,
          what,
          `In this server, publishing and changing videos is for people with the role <@&${publisherRoleId}>. Ask one of them, or somebody who manages the server to change that in \`/video settings\`.`,
        );
      }
    },
    /** The same for approving and refusing; `submittedBy` may not do so, and where it is not known, nobody may. */
    async checkApprover(guildId: string, by: Actor, submittedBy: string | undefined): Promise<void> {
      if (submittedBy === by.userId) {
        await deny(
          guildId,
          by,
          "decide about their own video",
          "You submitted this video yourself, so somebody else has to decide about it. If you have changed your mind, cancel it.",
        );
      }
      if (submittedBy === undefined) {
        await deny(
          guildId,
          by,
          "decide about a video of nobody",
          "Nobody can tell any more who submitted this video, so nobody can approve it. Please attach it again.",
        );
      }
      const { approverRoleId } = await settings(guildId);
      if (approverRoleId !== undefined && !by.roleIds.includes(approverRoleId)) {
        await deny(
          guildId,
          by,
          "decide about a video",
          `In this server, approving videos is for people with the role <@&${approverRoleId}>. Ask one of them, or somebody who manages the server to change that in \`/video settings\`.`,
        );
      }
    },
  };
}

export type VideoRules = ReturnType<typeof createVideoRules>;

/** The role of everyone has the guild's own id, and Discord names it in nobody's list of roles: it narrows nothing. */
function withoutEveryone(guildId: string, changes: Partial<VideoSettings>): Partial<VideoSettings> {
  const { approverRoleId, publisherRoleId } = changes;
  return {
    ...changes,
    ...(approverRoleId === guildId && { approverRoleId: undefined }),
    ...(publisherRoleId === guildId && { publisherRoleId: undefined }),
  };
}

// A guild's settings for videos as they are kept, and what a change of them is called.

const id = z
  .string()
  .regex(/^\d{1,20}$/)
  .optional();

/** Whatever says who may do something must be readable; a zone that is no longer known is as good as none. */
const chosenSchema = z.object({
  approvalChannelId: id,
  approverRoleId: id,
  publisherRoleId: id,
  timeZone: z.string().refine(isZone).optional().catch(undefined),
});

/** Reads what a guild has chosen; what it has not is absent. Throws for anything else. */
function parseChosen(json: string): Partial<VideoSettings> {
  const { approvalChannelId, approverRoleId, publisherRoleId, timeZone } = chosenSchema.parse(
    JSON.parse(json),
  );
  return { approvalChannelId, approverRoleId, publisherRoleId, ...(timeZone !== undefined && { timeZone }) };
}

/** What a change comes to, for the guild's record, e.g. `approver role set, time zone Europe/Paris`. */
function describeChange(before: VideoSettings, after: VideoSettings): string {
  const words = [
    before.approvalChannelId !== after.approvalChannelId &&
      (after.approvalChannelId === undefined ? "approval switched off" : "approval channel set"),
    before.approverRoleId !== after.approverRoleId &&
      (after.approverRoleId === undefined ? "approver role taken away" : "approver role set"),
    before.publisherRoleId !== after.publisherRoleId &&
      (after.publisherRoleId === undefined ? "publisher role taken away" : "publisher role set"),
    before.timeZone !== after.timeZone && `time zone ${after.timeZone}`,
  ];
  return words.filter((each) => each !== false).join(", ");
}
