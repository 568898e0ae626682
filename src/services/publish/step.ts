// What the steps of a publication share.
import type { VideoClient } from "../../clients/video/client.ts";
import type { UploadWay } from "../../clients/video/choose-upload.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { PublicationsTable } from "../../storage/publications-table.ts";
import type { AttachmentSources } from "../attachments/attachment-sources.ts";
import type { Messenger } from "../../core/ports.ts";
import type { VideoAccounts } from "../video-accounts/video-accounts.ts";
import type { VideoRules } from "../video-settings/video-settings.ts";
import type { Hold } from "./hold.ts";
import { plainProblem } from "./kept-problem.ts";
import type { PresentPublication } from "./publish.ts";

/** What the runner stands on. */
export interface PublishRunnerDependencies {
  readonly publications: PublicationsTable;
  readonly accounts: Pick<VideoAccounts, "byKey" | "markBroken">;
  readonly rules: Pick<VideoRules, "settings" | "writeWith">;
  readonly client: Pick<
    VideoClient,
    | "uploadSimple"
    | "startUpload"
    | "sendPieces"
    | "finishUpload"
    | "cancelUpload"
    | "status"
    | "list"
    | "read"
    | "update"
  >;
  readonly sources: Pick<AttachmentSources, "source">;
  readonly messenger: Pick<Messenger, "post" | "edit" | "ownMessages" | "conversation">;
  readonly present: PresentPublication;
  /** How files go up; `auto`: by their size. */
  readonly upload: "auto" | UploadWay;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Brings what is held a step further: it has changed when this settles. `signal` asks to come to an end soon. Throws
 * HoldLostError, and as the database does.
 */
export type Step = (hold: Hold, signal: AbortSignal) => Promise<void>;

/** The account that it was meant for cannot be used any more. */
export const NO_ACCOUNT = plainProblem("account", "no-account", true);

/** Nobody knows whether it was cancelled: a person decides whether it is sent. */
export const UNREADABLE = plainProblem("storage", "unreadable", true);
