import { createVideoClient } from "./client/video-client.ts";
import type { VideoConfig } from "../core/config.ts";
import type { Platform } from "../core/ports.ts";
import type { PublicationsTable } from "./publications-table.ts";
import type { VideoAccountsTable } from "./video-accounts-table.ts";
import type { VideoRecordsTable } from "./video-records-table.ts";
import { openSecretBox } from "../core/secret-box.ts";
import type { Job } from "../jobs/scheduler.ts";
import { createAttachments } from "../core/attachments.ts";
import { createPublishRunner } from "./publishing/publish-runner.ts";
import { createGuildPublications } from "./publishing/leaving-guilds.ts";
import { createPublish } from "./publishing/publish.ts";
import { createPublishableServers } from "./publishing/publishable-servers.ts";
import { createVideoAccounts } from "./accounts/video-accounts.ts";
import { createAccountNotifier } from "./accounts/check-account.ts";
import { createVideoActors, createVideoRules } from "./settings/video-rules.ts";
import { createVideos } from "./videos.ts";
import { publicationView } from "./publication-view.ts";
import { accountNoticeView } from "./video-account-view.ts";

/** Finds due work, also after a crash. Pressing Publish does not wait for it. */
const PUBLISH_PATTERN = "*/5 * * * * *";
const SAMPLES_PATTERN = "30 */10 * * * *";
const ACCOUNTS_PATTERN = "40 */10 * * * *";

/** How long audit entries and samples are kept; promised in docs/hosting.md. */
const KEEP_RECORDS_MS = 365 * 86_400_000;
/** How long publications without a published video are kept. */
const KEEP_FAILED_MS = 30 * 86_400_000;

/** Nothing is sent until a service is called or a job runs. */
export function composeVideos(
  options: Platform & {
    readonly settings: VideoConfig;
    readonly database: {
      readonly publications: PublicationsTable;
      readonly videoAccounts: VideoAccountsTable;
      readonly videoRecords: VideoRecordsTable;
    };
  },
) {
  const { settings, config, database, connection, messenger, rights, http, clock, log, meter } = options;
  const { publications, videoRecords: records } = database;
  const client = createVideoClient({ ...settings, http, clock, log });
  const rules = createVideoRules({ records, messenger, defaultZone: config.timeZone, clock, log });
  const accounts = createVideoAccounts({
    table: database.videoAccounts,
    client,
    operatorToken: settings.accessToken,
    operatorGuilds: settings.guilds,
    secretBox: openSecretBox(config.secretKeys),
    rules,
    notify: createAccountNotifier({ messenger, present: accountNoticeView, log }),
    clock,
    log,
  });
  const shared = { publications, accounts, rules, client, clock, log };
  const publishing = {
    ...shared,
    sources: createAttachments({ http, hosts: config.discord.cdnHosts, clock }),
    messenger,
    present: publicationView,
    upload: settings.upload,
  };
  const runner = createPublishRunner(publishing);
  meter.gauges(() => ({ video_uploads: runner.uploads() }));
  const videos = createVideos({
    ...shared,
    records,
    runner,
    onOutcome: (outcome) => meter.count("cache_answers_total", { cache: "videos", outcome }),
  });
  const jobs: readonly Job[] = [
    { name: "publish", pattern: PUBLISH_PATTERN, run: () => runner.run() },
    { name: "video samples", pattern: SAMPLES_PATTERN, run: (_nowMs, progress) => videos.sample(progress) },
    {
      name: "video accounts",
      pattern: ACCOUNTS_PATTERN,
      async run(nowMs, progress) {
        await accounts.checkDue(progress);
        await publications.sweep(nowMs - KEEP_FAILED_MS);
        await records.sweep(nowMs - KEEP_RECORDS_MS);
      },
    },
  ];
  return {
    services: {
      publish: createPublish({ ...publishing, runner }),
      videoAccounts: accounts,
      videoActors: createVideoActors({ messenger, rights, publications, rules }),
      videoRules: rules,
      videoServers: createPublishableServers({ ...shared, rights, guilds: () => connection.guilds() }),
      videos,
    },
    guildPublications: createGuildPublications({ ...publishing, runner }),
    jobs,
    prepare: () => accounts.reseal(),
    close: () => runner.close(),
  };
}
