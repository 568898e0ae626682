// What publishing needs from the rest of the bot.
import type { UploadWay, VideoClient } from "../client/video-client.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { PublicationsTable } from "../publications-table.ts";
import type { AttachmentSources } from "../../core/attachments.ts";
import type { Connection, Messenger } from "../../core/ports.ts";
import type { VideoAccounts } from "../accounts/video-accounts.ts";
import type { VideoRules } from "../settings/video-rules.ts";
import type { PresentPublication } from "./publish.ts";
import type { PublishRunner } from "./publish-runner.ts";

export interface PublishRunnerDependencies {
  readonly publications: PublicationsTable;
  readonly accounts: Pick<VideoAccounts, "of" | "byKey" | "canLink" | "markBroken">;
  readonly rules: VideoRules;
  readonly client: VideoClient;
  readonly sources: AttachmentSources;
  readonly messenger: Messenger;
  readonly present: PresentPublication;
  /** How files are uploaded; `auto`: depending on their size. */
  readonly upload: "auto" | UploadWay;
  readonly clock: Clock;
  readonly log: Log;
}

export interface PublishDependencies extends Omit<PublishRunnerDependencies, "present" | "upload"> {
  /** The servers that the bot is in. */
  readonly guilds: Connection["guilds"];
  /** Ids of servers of which anything is kept, those that the bot left included. */
  readonly knownGuilds: () => Promise<readonly string[]>;
  readonly runner: Pick<PublishRunner, "nudge" | "stop" | "shown">;
}
