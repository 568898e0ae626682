// The videos service on a real database and the sandbox's video service: one server publishes with the operator's
// account, another has linked its own.
import { randomBytes } from "node:crypto";
import { collectLog } from "./collect-log.ts";
import { createSecretBox } from "../../src/core/secret-box.ts";
import { createVideoAccounts } from "../../src/videos/accounts/video-accounts.ts";
import { type Actor, createVideoRules, createVideoActors } from "../../src/videos/settings/video-rules.ts";
import type { ChannelCheck } from "../../src/core/ports.ts";
import { createVideos } from "../../src/videos/videos.ts";
import type { PublicationRecord } from "../../src/videos/publications-table.ts";
import { openTestDatabase } from "../open.ts";
import { publicationRecord } from "../videos/video-rows.ts";
import { openVideo, sourceOf, videoBytes, type OpenVideoOptions } from "./video-stand-in.ts";

/** The server that publishes with the operator's account, the page "Signal Hall". */
export const HALL = "1";
/** The server that has linked the page "Garden Railway". */
export const GARDEN = "2";
export const GRACE: Actor = { userId: "7", roleIds: ["70"] };

export interface ManagedVideosOptions extends OpenVideoOptions {
  /** The token that the second server links; by default, that of its page. */
  readonly gardenToken?: string;
}

/** Opens the service without videos. */
export async function openManagedVideos(options: ManagedVideosOptions = {}) {
  const open = await openVideo(options);
  const { client, clock, waitingClock, standIn } = open;
  const database = await openTestDatabase("sqlite::memory:");
  const { log, lines } = collectLog("debug");
  const { publications, videoRecords: records, videoAccounts: table } = database;
  const messenger = {
    check: async (): Promise<ChannelCheck> => ({
      guildId: HALL,
      kind: "text",
      name: "approvals",
      missing: [],
      locked: false,
    }),
  };
  const rules = createVideoRules({ records, messenger, defaultZone: "Europe/London", clock, log });
  const accounts = createVideoAccounts({
    table,
    client,
    operatorToken: standIn.tokens.page,
    operatorGuilds: "*",
    secretBox: createSecretBox(randomBytes(32)),
    rules,
    notify: async () => undefined,
    clock,
    log,
  });
  await accounts.link(GARDEN, standIn.tokens.secondPage, GRACE.userId);
  const nudges: number[] = [];
  const runner = { nudge: (): void => void nudges.push(clock.now()), stop: () => undefined };
  const createLife = () =>
    createVideos({ accounts, rules, publications, records, client, runner, clock: waitingClock, log });
  /** The members of the first server that Discord knows. */
  const members = new Map<string, { readonly roleIds: readonly string[] }>();
  const actors = createVideoActors({
    messenger: { mayManage: async () => false },
    rights: {
      findAllowedMember: async (guildId, userId, command) =>
        guildId === HALL && command === "video" ? members.get(userId) : undefined,
    },
    publications,
    rules,
  });
  let count = 0;

  /** Uploads a video that the bot does not know. */
  async function upload(
    token: string,
    details: { readonly title?: string; readonly publishAtMs?: number } = {},
  ) {
    const source = sourceOf(videoBytes(2_000));
    const id = (await client.uploadSimple({ token }, { source, title: "Opening day", ...details })) ?? "";
    await clock.advance(20_000);
    return id;
  }

  /** Adds a publication of the first server whose video exists. */
  async function publish(changed: Partial<PublicationRecord> = {}) {
    const { title = "Opening day", publishAtMs } = changed;
    const videoId = await upload(standIn.tokens.page, { title, ...(publishAtMs && { publishAtMs }) });
    count += 1;
    const row = publicationRecord({
      id: `video00${count}`,
      guildId: HALL,
      account: "operator",
      createdAtMs: clock.now(),
      state: publishAtMs === undefined ? "published" : "scheduled",
      stateAtMs: clock.now(),
      videoId,
      ...changed,
      title,
    });
    await publications.add(row);
    return { id: videoId, row };
  }

  const entriesOf = async (guildId: string) => {
    const acts = await rules.auditEntries(guildId, { limit: 50 });
    return acts.toReversed().map(({ act, actorId, videoId, note }) => ({ act, actorId, videoId, note }));
  };

  return {
    ...open,
    lines,
    database,
    accounts,
    rules,
    members,
    actors,
    publications,
    records,
    /** The times at which the publish runner was woken. */
    nudges,
    upload,
    publish,
    /** Creates the service as after a restart. */
    createLife,
    videos: createLife(),
    /** The audit entries of a server, oldest first. */
    entriesOf,
    /** The requests to the video service after the first `since`, e.g. `POST /1020…`. */
    asked: (since = 0) => standIn.ledger.slice(since).map(({ method, path }) => `${method} ${path}`),
  };
}
