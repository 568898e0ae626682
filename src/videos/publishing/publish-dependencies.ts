// What publishing stands on, beside its runner.
import type { VideoClient } from "../client/video-client.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { PublicationsTable } from "../publications-table.ts";
import type { AttachmentSources } from "../../core/attachments.ts";
import type { Connection, Messenger } from "../../core/ports.ts";
import type { VideoAccounts } from "../accounts/video-accounts.ts";
import type { VideoRules } from "../settings/video-settings.ts";
import type { PublishRunner } from "./publish.ts";

export interface PublishDependencies {
  readonly publications: PublicationsTable;
  readonly accounts: Pick<VideoAccounts, "of" | "byKey" | "canLink">;
  readonly rules: Pick<VideoRules, "settings" | "checkPublisher" | "checkApprover" | "changeWithAudit">;
  readonly client: Pick<VideoClient, "list" | "status">;
  readonly sources: Pick<AttachmentSources, "look">;
  readonly messenger: Pick<Messenger, "check" | "member">;
  /** The servers that the bot is in. */
  readonly guilds: Connection["guilds"];
  /** Ids of servers of which anything is kept, those that the bot left included. */
  readonly knownGuilds: () => Promise<readonly string[]>;
  readonly runner: Pick<PublishRunner, "nudge" | "stop" | "shown">;
  readonly clock: Clock;
  readonly log: Log;
}
