// Who may do what with a server's videos, by its settings and by the roles of the person who asks.
import pLimit from "p-limit";
import { z } from "zod";
import type { VideoRecordsTable } from "../video-records-table.ts";
import type { Messenger, Platform, CommandRights } from "../../core/ports.ts";
import { parseZone } from "../../time/parse-schedule.ts";
import { checkChannel } from "../../delivery/check-channel.ts";
import { createAuditLog } from "./audit-log.ts";
import { nonBlank } from "../../time/words.ts";
import { isZone, zoneCity } from "../../time/zones.ts";
import { UserError } from "../../core/errors.ts";
import type { PublicationsTable } from "../publications-table.ts";

const id = z
  .string()
  .regex(/^\d{1,20}$/)
  .optional();

/** Invalid ids throw, because they decide who may do something. Roles only narrow what Discord's permissions allow. */
const storedSchema = z.object({
  /** `undefined` if videos need no approval. */
  approvalChannelId: id,
  /** The role that may approve, among those who may use `/video`; `undefined` if all of them may. */
  approverRoleId: id,
  /** `undefined` if nobody is pinged. */
  pingRoleId: id,
  /** The role that may publish and change videos, among those who may use `/video`; `undefined` if all of them may. */
  publisherRoleId: id,
  /** The zone in which `publish_at` is read; an unknown one counts as none. */
  timeZone: z.string().refine(isZone).optional().catch(undefined),
});

type StoredSettings = z.output<typeof storedSchema>;
export type VideoSettings = Readonly<StoredSettings> & { readonly timeZone: string };

export interface Actor {
  readonly userId: string;
  /** Their roles in the server whose videos they act on. */
  readonly roleIds: readonly string[];
}

export interface VideoRulesDependencies extends Pick<Platform, "clock" | "log"> {
  readonly records: VideoRecordsTable;
  readonly messenger: Pick<Messenger, "check">;
  /** IANA name: the zone of servers that have not chosen one. */
  readonly defaultZone: string;
}

const APPROVAL_WORDS = { act: "ask for approval", otherwise: "choose another channel" };

export function createVideoRules(deps: VideoRulesDependencies) {
  const { records, messenger, defaultZone } = deps;
  const auditLog = createAuditLog(deps);
  /** Runs one change at a time, so that none is lost when two are made at the same time. */
  const inTurn = pLimit(1);

  async function readStored(guildId: string): Promise<StoredSettings> {
    const text = await records.settings(guildId);
    return text === undefined ? {} : storedSchema.parse(JSON.parse(text));
  }

  const complete = (chosen: StoredSettings): VideoSettings => ({
    ...chosen,
    timeZone: chosen.timeZone ?? defaultZone,
  });

  const settings = async (guildId: string): Promise<VideoSettings> => complete(await readStored(guildId));

  async function change(guildId: string, changes: Partial<VideoSettings>, by: Actor): Promise<VideoSettings> {
    const { timeZone: typed, ...others } = changes;
    const { approvalChannelId } = others;
    const timeZone = nonBlank(typed);
    if (approvalChannelId !== undefined) {
      await checkChannel(messenger, { guildId, channelId: approvalChannelId }, APPROVAL_WORDS);
    }
    const before = await readStored(guildId);
    const chosen: StoredSettings = {
      ...before,
      ...others,
      ...(timeZone !== undefined && { timeZone: parseZone(timeZone) }),
    };
    // The role of everyone has the server's id. Choosing it means no restriction and no ping.
    for (const name of ROLES) {
      chosen[name] = chosen[name] === guildId ? undefined : chosen[name];
    }
    const after = complete(chosen);
    const note = describeChange(complete(before), after);
    const act = { guildId, actorId: by.userId, act: "settings-changed", note } as const;
    await auditLog.changeWithAudit(note === "" ? [] : [act], async (lines) => {
      await records.putSettings({ guildId, settings: JSON.stringify(chosen) }, lines);
      return true;
    });
    return after;
  }

  /** Otherwise writes the attempt (`note`) to the audit log and throws a UserError. */
  async function checkRole(
    guildId: string,
    by: Actor,
    role: "publisherRoleId" | "approverRoleId",
    { act, note }: { readonly act: string; readonly note: string },
  ): Promise<VideoSettings> {
    const current = await settings(guildId);
    const { [role]: roleId } = current;
    if (roleId !== undefined && !by.roleIds.includes(roleId)) {
      const sentence = `In this server, ${act} is for people with the role <@&${roleId}>. Ask one of them, or somebody who manages the server to change that in \`/video settings\`.`;
      await auditLog.deny({ guildId, actorId: by.userId, note }, sentence);
    }
    return current;
  }

  return {
    ...auditLog,
    settings,
    /** An absent one stays, `undefined` removes one. Throws a UserError for an unusable channel or zone. */
    change: (guildId: string, changes: Partial<VideoSettings>, by: Actor): Promise<VideoSettings> =>
      inTurn(() => change(guildId, changes, by)),
    /** Returns the settings that were read for the check. */
    checkPublisher: (guildId: string, by: Actor, what: string): Promise<VideoSettings> =>
      checkRole(guildId, by, "publisherRoleId", { act: "publishing and changing videos", note: what }),
    /** The person in `submittedBy` may not approve; if it is `undefined`, nobody may. */
    async checkApprover(guildId: string, by: Actor, submittedBy: string | undefined): Promise<void> {
      const deny = (note: string, sentence: string) =>
        auditLog.deny({ guildId, actorId: by.userId, note }, sentence);
      if (submittedBy === by.userId) {
        await deny(
          "decide about their own video",
          "You submitted this video yourself, so somebody else has to decide about it. If you have changed your mind, cancel it.",
        );
      }
      if (submittedBy === undefined) {
        await deny(
          "decide about a video whose submitter is unknown",
          "Nobody can tell any more who submitted this video, so nobody can approve it. Please attach it again.",
        );
      }
      await checkRole(guildId, by, "approverRoleId", {
        act: "approving videos",
        note: "decide about a video",
      });
    },
  };
}

export type VideoRules = ReturnType<typeof createVideoRules>;

const ROLES = ["approverRoleId", "pingRoleId", "publisherRoleId"] as const;

const CHANGES = [
  ["approvalChannelId", "approval channel set", "approval switched off"],
  ["approverRoleId", "approver role set", "approver role removed"],
  ["pingRoleId", "approval ping set", "approval ping switched off"],
  ["publisherRoleId", "publisher role set", "publisher role removed"],
] as const;

/** e.g. `approver role set, time zone Paris`. */
function describeChange(before: VideoSettings, after: VideoSettings): string {
  const words = CHANGES.flatMap(([name, set, removed]) =>
    before[name] === after[name] ? [] : [after[name] === undefined ? removed : set],
  );
  const zone = before.timeZone === after.timeZone ? [] : [`time zone ${zoneCity(after.timeZone)}`];
  return [...words, ...zone].join(", ");
}

// Who asks. Discord sends a person's roles with interactions in a server, but not in DMs.

interface Asking {
  readonly caller: { readonly id: string; readonly roles: readonly string[] };
  readonly where: { readonly guildId: string | undefined };
}

export interface ServerActor {
  readonly guildId: string;
  readonly by: Actor;
}

/** Throws a UserError outside a server. */
export function guildOf({ guildId }: Asking["where"]): string {
  if (guildId === undefined) {
    throw new UserError("Videos belong to servers. Please use this in the video's server.");
  }
  return guildId;
}

/** An attempt without permission is written to the audit log with `what`, and throws a UserError. */
export function createVideoActors(deps: {
  readonly messenger: Pick<Messenger, "mayManage">;
  readonly rights: CommandRights;
  readonly publications: Pick<PublicationsTable, "guildOfVideo">;
  readonly rules: Pick<VideoRules, "deny">;
}) {
  const { messenger, rights, publications, rules } = deps;
  /** Denies requests from other servers, and from a DM if `/video` is not allowed there. */
  async function of(guildId: string, { caller, where }: Asking, what: string): Promise<Actor> {
    if (where.guildId === guildId) {
      return { userId: caller.id, roleIds: caller.roles };
    }
    if (where.guildId !== undefined) {
      return rules.deny(
        { guildId, actorId: caller.id, note: what },
        "That belongs to another server. Please use it there.",
      );
    }
    const member = await rights.findAllowedMember(guildId, caller.id, "video");
    if (member === undefined) {
      const sentence =
        "Only people who can use `/video` in the server it's from can do that. Please use it there, or ask one of its moderators.";
      return rules.deny({ guildId, actorId: caller.id, note: what }, sentence);
    }
    return { userId: caller.id, roleIds: member.roleIds };
  }

  return {
    of,
    /** In a DM, the server is the one that published the video. */
    async ofVideo(videoId: string, asking: Asking, what: string): Promise<ServerActor> {
      const { where } = asking;
      const guildId = where.guildId ?? (await publications.guildOfVideo(videoId)) ?? guildOf(where);
      return { guildId, by: await of(guildId, asking, what) };
    },
    /** Requires Manage Server, not just `/video`: settings decide who publishes there and with which account. */
    async manager({ caller, where }: Asking, what: string): Promise<ServerActor> {
      const guildId = guildOf(where);
      if (!(await messenger.mayManage(guildId, caller.id))) {
        const sentence =
          "That decides who publishes here, and as whom, so it's for people with **Manage Server**. Please ask one of them.";
        return rules.deny({ guildId, actorId: caller.id, note: what }, sentence);
      }
      return { guildId, by: { userId: caller.id, roleIds: caller.roles } };
    },
  };
}
