// A server's videos: all of its linked account, or on the operator's account those that it published.
import type { Video } from "./client/read-video.ts";
import { cutLine } from "../core/text.ts";
import { ServiceError, UserError } from "../core/errors.ts";
import type { PublicationRecord } from "./publications-table.ts";
import type { PageCursor } from "../storage/row.ts";
import type { UsableAccount } from "./accounts/video-accounts.ts";
import { formatDay } from "./video-words.ts";
import type { ListedVideo, OwnedVideosDependencies, VideoPage } from "./videos.ts";
import { ttlByClock } from "../core/cache-options.ts";
import { LRUCache } from "lru-cache";
import type { Page } from "./client/read-values.ts";
import type { Clock } from "../core/clock.ts";

const SHOWN_STATES = ["processing", "scheduled", "published"] as const;
/** Publications that are not known to be on the service, and still need somebody's attention. */
const UNDER_WAY = ["awaiting-approval", "uploading", "outcome-unknown"] as const;
const UNDER_WAY_LISTED = 10;
/** Small, because each publication's video needs its own request. */
const OWN_PAGE_SIZE = 5;
const SUGGESTED_OWN = 50;

export function createVideoList({ accounts, publications, client, own, clock }: OwnedVideosDependencies) {
  const { answers, keyOf } = own;
  const chain = createPageChain(clock);

  async function listLinked(guildId: string, account: UsableAccount, after?: string): Promise<Part> {
    const key = keyOf("list", guildId, account.key);
    const ask = () =>
      chain(key, after, (cursor) => own.ask({ guildId, account }, (as) => client.list(as, cursor)));
    const { value } = await answers.ask(`${key} ${after ?? ""}`, ask);
    return { items: value.items.map(toListed), after: value.after };
  }

  async function listPublications(guildId: string, before: PageCursor | undefined): Promise<Part> {
    const rows = await publications.ofGuild(guildId, SHOWN_STATES, { limit: OWN_PAGE_SIZE + 1, before });
    const shown = rows.slice(0, OWN_PAGE_SIZE);
    const items = await Promise.all(shown.map(readPublication));
    const last = shown.at(-1);
    return {
      items,
      after: rows.length > shown.length && last !== undefined ? formatCursor(last) : undefined,
    };
  }

  /** Shows the row if the service does not answer. */
  async function readPublication(row: PublicationRecord): Promise<ListedVideo> {
    const { guildId, videoId } = row;
    const account = await accounts.byKey(guildId, row.account);
    if (account === undefined || videoId === undefined) {
      return fromRecord(row);
    }
    try {
      const ask = () => own.ask({ guildId, account }, (as) => client.read(as, videoId));
      const { value } = await answers.ask(keyOf("video", account.key, videoId), ask);
      return { ...toListed(value), title: value.title ?? row.title };
    } catch (error) {
      if (error instanceof ServiceError) {
        return fromRecord(row, error.kind === "not-found" ? "gone" : undefined);
      }
      throw error;
    }
  }

  /** Returns none if that fails: an error cannot be shown while somebody types. */
  async function suggestLinked(guildId: string): Promise<readonly NamedVideo[]> {
    try {
      const account = await accounts.of(guildId);
      const isLinked = account !== undefined && account.key !== "operator";
      return isLinked ? (await listLinked(guildId, account)).items : [];
    } catch (error) {
      if (error instanceof UserError || error instanceof ServiceError) {
        return [];
      }
      throw error;
    }
  }

  return {
    async list(guildId: string, after?: string): Promise<VideoPage> {
      const account = await accounts.of(guildId);
      const part =
        account === undefined || account.key === "operator"
          ? await listPublications(guildId, parseCursor(after ?? ""))
          : await listLinked(guildId, account, after);
      const underWay =
        after === undefined
          ? await publications.ofGuild(guildId, UNDER_WAY, { limit: UNDER_WAY_LISTED })
          : [];
      return { ...part, underWay };
    },
    /** Suggests videos for autocomplete, by title or id; returns none instead of failing. */
    async suggest(guildId: string, text: string) {
      const theirs = await suggestLinked(guildId);
      const rows = await publications.ofGuild(guildId, SHOWN_STATES, { limit: SUGGESTED_OWN });
      const ours = rows.map(({ videoId = "", title, createdAtMs }) => ({ id: videoId, title, createdAtMs }));
      const all = new Map([...ours, ...theirs].map((named) => [named.id, named]));
      const typed = text.trim().toLowerCase();
      return [...all.values()]
        .toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0))
        .map((named) => ({ name: nameOf(named), value: named.id }))
        .filter(({ name, value }) => value !== "" && (name.toLowerCase().includes(typed) || value === typed));
    },
  };
}

function formatCursor({ createdAtMs, id }: PublicationRecord): string {
  return `b${createdAtMs}_${id}`;
}

/** Parses a cursor; buttons of earlier versions contain the time only. `undefined` (the first page) for anything else. */
function parseCursor(text: string): PageCursor | undefined {
  const [, at, id] = /^b(\d{1,15})(?:_([0-9a-z]{1,40}))?$/.exec(text) ?? [];
  return at === undefined ? undefined : { atMs: Number(at), id };
}

type Part = Omit<VideoPage, "underWay">;

type NamedVideo = Pick<Video, "id" | "title" | "createdAtMs">;

/** Discord cuts a choice after 100 characters; this leaves room for the day. */
const TITLE_IN_CHOICE = 80;

function nameOf({ title = "Without a title", createdAtMs }: NamedVideo): string {
  const cut = cutLine(title, TITLE_IN_CHOICE);
  return createdAtMs === undefined ? cut : `${cut} (${formatDay(createdAtMs)})`;
}

function toListed(video: Video): ListedVideo {
  const { id, title, createdAtMs, publishAtMs, lengthSeconds, views, status } = video;
  return { id, title, createdAtMs, publishAtMs, lengthSeconds, views, stage: status.stage };
}

function fromRecord(row: PublicationRecord, stage?: "gone"): ListedVideo {
  const { videoId = "", title, createdAtMs, publishAtMs, state } = row;
  return {
    id: videoId,
    title,
    createdAtMs,
    publishAtMs,
    lengthSeconds: undefined,
    views: undefined,
    stage: stage ?? SHOWN_STATES.find((shown) => shown === state) ?? "processing",
  };
}

// The service's cursors lead only forwards and may be too long for a button. So buttons contain page numbers,
// and cursors are cached; after a restart, the list is read again from the start.

const KEPT_MS = 10 * 60_000;
const LISTS_KEPT = 500;
/** Nobody turns this many pages; a higher number is forged. */
const LAST_PAGE = 40;

export function createPageChain(clock: Clock) {
  const chains = new LRUCache<string, readonly (string | undefined)[]>({
    max: LISTS_KEPT,
    ttl: KEPT_MS,
    ...ttlByClock(clock),
  });

  /** A page past the end is empty. `name`: the `after` of the page before; other text: the first page. */
  return async function readPage<P extends Page<unknown>>(
    key: string,
    name: string = "",
    fetch: (after: string | undefined) => Promise<P>,
  ): Promise<P> {
    const wanted = /^\d{1,3}$/.test(name) ? Math.min(Number(name), LAST_PAGE) : 0;
    // The first page is always read again, because the list may have grown.
    const cursors = [...((wanted > 0 && chains.get(key)) || [undefined])].slice(0, wanted + 1);
    let page = await fetch(cursors.at(-1));
    while (page.after !== undefined && cursors.length <= wanted) {
      cursors.push(page.after);
      page = await fetch(page.after);
    }
    chains.set(key, page.after === undefined ? cursors : [...cursors, page.after]);
    if (cursors.length <= wanted) {
      return { ...page, items: [], after: undefined };
    }
    return { ...page, after: page.after && wanted < LAST_PAGE ? String(wanted + 1) : undefined };
  };
}
