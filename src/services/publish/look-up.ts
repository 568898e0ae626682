// What became of a write whose answer nobody heard. It is looked for, never sent again.
import type { VideoAccount } from "../../clients/video/account.ts";
import type { VideoClient } from "../../clients/video/client.ts";
import type { Video } from "../../clients/video/read-video.ts";
import { ServiceError } from "../../core/errors.ts";
import type { PublicationRecord, PublicationsTable } from "../../storage/publications-table.ts";

/** What a look has shown. */
export type Finding =
  | { readonly videoId: string }
  /** It did not happen, and will not. */
  | "absent"
  /** Not now; it may turn up. */
  | "unknown";

/** Both throw as client and database do. */
export interface LookUp {
  find(record: PublicationRecord, account: VideoAccount): Promise<Finding>;
  /** The account's newest videos that may be it, for a person to choose from. */
  candidates(record: PublicationRecord, account: VideoAccount): Promise<readonly Video[]>;
}

/** The service's clock may be behind ours. */
const SKEW_MS = 2 * 60_000;
/** A hundred videos in some minutes are nobody's. */
const MOST_PAGES = 4;

/** Makes what looks. */
export function createLookUp({
  client,
  publications,
}: {
  readonly client: Pick<VideoClient, "list" | "status">;
  readonly publications: Pick<PublicationsTable, "known" | "inDoubt">;
}): LookUp {
  async function newest(account: VideoAccount, sinceMs: number): Promise<readonly Video[]> {
    const found: Video[] = [];
    let after: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const page = await client.list(account, after);
      found.push(...page.items);
      const oldest = page.items.at(-1);
      after = page.after;
      if (after === undefined || (oldest?.createdAtMs !== undefined && oldest.createdAtMs < sinceMs)) {
        break;
      }
    }
    return found.filter(({ createdAtMs }) => createdAtMs === undefined || createdAtMs >= sinceMs);
  }

  /** Those that are no other publication's. */
  async function unclaimed(record: PublicationRecord, account: VideoAccount): Promise<readonly Video[]> {
    const sinceMs = (record.pendingSinceMs ?? record.stateAtMs) - SKEW_MS;
    const videos = await newest(account, sinceMs);
    const taken = await publications.known(videos.map(({ id }) => id));
    // A session has its video from the start; a whole upload has none, but perhaps that of an attempt before it.
    const own = record.pendingWrite === "finish" ? record.videoId : undefined;
    return videos.filter(({ id }) => id === own || !taken.has(id));
  }

  /** Another one with the same texts, of whichever server, may be looking for the very same video. */
  async function hasRival(record: PublicationRecord): Promise<boolean> {
    const others = await publications.inDoubt(record.account);
    return others.some((other) => other.id !== record.id && isLike(other, record));
  }

  async function findInList(record: PublicationRecord, account: VideoAccount): Promise<Finding> {
    const matches = (await unclaimed(record, account)).filter((video) => isLike(video, record));
    const [only] = matches;
    return only === undefined || matches.length > 1 || (await hasRival(record))
      ? "unknown"
      : { videoId: only.id };
  }

  async function findByStatus(videoId: string, account: VideoAccount): Promise<Finding> {
    try {
      const { stage } = await client.status(account, videoId);
      return stage === "uploading" ? "unknown" : stage === "expired" ? "absent" : { videoId };
    } catch (error) {
      if (error instanceof ServiceError && error.kind === "not-found") {
        return "unknown";
      }
      throw error;
    }
  }

  return {
    find: (record, account) =>
      record.pendingWrite === "finish" && record.videoId !== undefined
        ? findByStatus(record.videoId, account)
        : findInList(record, account),
    async candidates(record, account) {
      const videos = await unclaimed(record, account);
      // On the operator's account there may be anybody's.
      return record.account === "operator" ? videos.filter((video) => isLike(video, record)) : videos;
    },
  };
}

type Texts = Pick<PublicationRecord, "title" | "description">;

function isLike(one: Texts, other: Texts): boolean {
  return plain(one.title) === plain(other.title) && plain(one.description) === plain(other.description);
}

/** As the service may give it back. */
function plain(text: string | undefined): string {
  return (text ?? "").normalize().replace(/\s+/g, " ").trim();
}
