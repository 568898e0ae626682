// Who presses: a person as the server knows them whose videos they want to act on. Discord tells that of presses in
// the server itself; in a conversation it is asked, since messages of the bot's stand there as well.
import { UserError } from "../../core/errors.ts";
import type { Messenger } from "../ports.ts";
import type { Actor, VideoRules } from "../video-settings/video-settings.ts";

/** Whoever asks, and where, as commands know them. */
export interface Asking {
  readonly caller: { readonly id: string; readonly roles: readonly string[] };
  readonly where: { readonly guildId: string | undefined };
}

/** Finds out who acts. */
export interface VideoActors {
  /**
   * The person as a member of `guildId`. `what` they try is written down where it is not theirs to try: from another
   * server, or from a conversation without managing this one. Then throws UserError; otherwise as the messenger does.
   */
  of(guildId: string, asking: Asking, what: string): Promise<Actor>;
}

/** Makes the service. */
export function createVideoActors({
  messenger,
  rules,
}: {
  readonly messenger: Pick<Messenger, "member">;
  readonly rules: Pick<VideoRules, "write">;
}): VideoActors {
  async function deny(guildId: string, actorId: string, what: string, sentence: string): Promise<never> {
    await rules.write({ guildId, actorId, act: "denied", note: what });
    throw new UserError(sentence);
  }

  return {
    async of(guildId, { caller, where }, what) {
      if (where.guildId === guildId) {
        return { userId: caller.id, roleIds: caller.roles };
      }
      if (where.guildId !== undefined) {
        return deny(guildId, caller.id, what, "That belongs to another server. Please use it there.");
      }
      const member = await messenger.member(guildId, caller.id);
      if (member?.mayManage !== true) {
        const sentence =
          "That is for people who manage the server it is from. Please use it in the server, or ask one of its moderators.";
        return deny(guildId, caller.id, what, sentence);
      }
      return { userId: caller.id, roleIds: member.roleIds };
    },
  };
}
