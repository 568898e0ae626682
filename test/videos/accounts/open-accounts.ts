// Opens the accounts service with an in-memory database, and the real client with the sandbox's video service.
import { onTestFinished } from "vitest";
import { type SecretBox, createSecretBox } from "../../../src/core/secret-box.ts";
import { createLog } from "../../../src/core/log.ts";
import type { AccountNotice } from "../../../src/videos/accounts/check-account.ts";
import {
  type VideoAccounts,
  type VideoAccountsDependencies,
  createVideoAccounts,
} from "../../../src/videos/accounts/video-accounts.ts";
import { type VideoRules, createVideoRules } from "../../../src/videos/settings/video-rules.ts";

import type { Database } from "../../../src/database.ts";
import { openMemoryDatabase } from "../../open.ts";
import { type OpenVideo, type OpenVideoOptions, openVideo } from "../../support/video-stand-in.ts";

export interface OpenAccounts extends OpenVideo {
  readonly accounts: VideoAccounts;
  readonly rules: VideoRules;
  readonly database: Database;
  /** The notices that were sent to servers. */
  readonly notices: readonly AccountNotice[];
  /** The log lines of everything except the client. */
  readonly ownLines: readonly string[];
  /** Opens another process on the same database. */
  readonly restart: (changed: Partial<VideoAccountsDependencies>) => VideoAccounts;
}

export const KEY = new Uint8Array(32).fill(7);
const BOX: SecretBox = createSecretBox(KEY);

/** Opens the service without an operator's account; it closes when the test ends. */
export async function openAccounts(options: OpenVideoOptions = {}): Promise<OpenAccounts> {
  const video = await openVideo(options);
  const ownLines: string[] = [];
  const destination = { write: (line: string) => ownLines.push(line) };
  const log = createLog({ level: "debug", secrets: [], destination });
  const { client, clock } = video;
  const database = await openMemoryDatabase({ clock, log });
  onTestFinished(() => database.close());
  const rules = createVideoRules({
    records: database.videoRecords,
    messenger: { check: async () => undefined },
    defaultZone: "Europe/London",
    clock,
    log,
  });
  const notices: AccountNotice[] = [];
  const restart = (changed: Partial<VideoAccountsDependencies>): VideoAccounts =>
    createVideoAccounts({
      table: database.videoAccounts,
      client,
      secretBox: BOX,
      operatorToken: undefined,
      operatorGuilds: "*",
      rules,
      notify: async (notice) => void notices.push(notice),
      clock,
      log,
      ...changed,
    });
  return { ...video, accounts: restart({}), rules, database, notices, ownLines, restart };
}
