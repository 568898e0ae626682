// Previews of the styles. The service makes each once, from the bot's own sample picture, and the database stores it.
import { createHash } from "node:crypto";
import type { Picture } from "../render/pictures.ts";
import type { PictureTools } from "../render/picture-tools.ts";
import type { Catalogue, Style } from "./catalogue.ts";
import type { Clock } from "../core/clock.ts";
import { runFor } from "../core/asker.ts";
import { ServiceError, type ServiceErrorKind } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { chunk } from "../core/pages.ts";
import { loadOnce } from "../core/runs.ts";
import type { StylePreviewsTable } from "./style-previews-table.ts";
import { asServiceError } from "./explain-picture.ts";
import type { Queue } from "./queue.ts";
import type { ApplyStyle } from "./apply-style.ts";
import { readFile } from "node:fs/promises";

export interface GalleryPage {
  /** From 0. */
  readonly number: number;
  readonly pages: number;
  /** At most ten; empty without a catalogue. */
  readonly styles: readonly Style[];
  /** One picture of all the previews that exist, each with its name; `undefined` if there are none. */
  readonly sheet: Picture | undefined;
  /** How many styles have no preview. */
  readonly missing: number;
  /** Whether previews are missing because no more pictures may be sent to the service for now. */
  readonly isBudgetSpent: boolean;
}

const PREVIEW = { maxBytes: 60_000, maxSide: 640 };
/** After this time, the page is shown with the previews that are ready. */
const PATIENCE_MS = 5 * 60_000;
/** A failed preview is not retried each time somebody opens the page. */
const RETRY_AFTER_MS = 10 * 60_000;
/** Failures of a single style. All others concern the whole service. */
const SINGLE_STYLE_FAILURES: ReadonlySet<ServiceErrorKind> = new Set([
  "rejected",
  "not-found",
  "unexpected-answer",
  "too-large",
]);
/**
 * Everybody sees the previews, so they have their own share of the plan and do not use up the share of the first person
 * who looks.
 */
const PREVIEWS = { userId: "previews", guildId: "previews" };

export function createGallery(deps: {
  readonly catalogue: Catalogue;
  readonly applyStyle: ApplyStyle;
  readonly tools: PictureTools;
  readonly queue: Queue;
  /** Aborts when the bot is about to stop. */
  readonly stopping: AbortSignal;
  readonly table: StylePreviewsTable;
  readonly readSample: () => Promise<Uint8Array>;
  /** Identifies the service, because a style of the same name looks different in another service. */
  readonly origin: string;
  readonly clock: Clock;
  readonly log: Log;
}) {
  const { catalogue, applyStyle, tools, queue, stopping, table, readSample, origin, clock, log } = deps;
  const pages = paginate(catalogue.styles);
  const underWay = new Map<string, Promise<Picture | undefined>>();
  const failures = new Map<string, { readonly atMs: number; readonly kind: ServiceErrorKind }>();
  const loadSample = loadOnce(async () => tools.prepare(await readSample(), catalogue.limits));

  const keyOf = ({ id }: Style): string => createHash("sha256").update(`1 ${origin} ${id}`).digest("hex");
  const failureOf = (style: Style): ServiceErrorKind | undefined => {
    const failure = failures.get(keyOf(style));
    return failure && clock.elapsed() - failure.atMs < RETRY_AFTER_MS ? failure.kind : undefined;
  };

  async function make(style: Style, key: string, signal: AbortSignal): Promise<Picture> {
    const before = await loadSample();
    const choice = { style, blend: undefined, intensity: 100 };
    const { picture } = await applyStyle(before, choice, { signal, onProgress: () => undefined });
    const preview = await asServiceError(tools.fit(picture.bytes, PREVIEW.maxBytes, PREVIEW.maxSide));
    // The preview has been paid for, so it is shown even if it cannot be stored.
    await table.add({ key, ...preview }).catch((error: unknown) => {
      log.warn({ error, style: style.id }, "preview not stored");
    });
    return preview;
  }

  function rememberFailure(style: Style, kind: ServiceErrorKind): void {
    const failed = kind === "aborted" ? [] : SINGLE_STYLE_FAILURES.has(kind) ? [style] : catalogue.styles;
    for (const each of failed) {
      failures.set(keyOf(each), { atMs: clock.elapsed(), kind });
    }
  }

  async function makeOnce(style: Style, signal: AbortSignal): Promise<Picture | undefined> {
    const key = keyOf(style);
    const making =
      underWay.get(key) ??
      queue
        .run(PREVIEWS, () => runFor(PREVIEWS, () => make(style, key, signal)), { signal, isBackground: true })
        .catch((error: unknown) => {
          if (!(error instanceof ServiceError)) {
            throw error;
          }
          log.warn({ error, style: style.id }, "preview failed");
          rememberFailure(style, error.kind);
          return undefined;
        })
        .finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  }

  return {
    /** Returns a page, or the last one if there are fewer, and makes missing previews. Throws if the database fails. */
    async page(wanted: number, onProgress: (done: number, all: number) => void): Promise<GalleryPage> {
      const number = Math.min(wanted, Math.max(0, pages.length - 1));
      const styles = pages[number] ?? [];
      const stored = await table.read(styles.map(keyOf));
      const kept = new Map<string, Picture>(stored.map((record) => [record.key, record]));
      const giveUp = new AbortController();
      const cancel = clock.after(PATIENCE_MS, () => giveUp.abort());
      const signal = AbortSignal.any([giveUp.signal, stopping]);
      try {
        for (const style of styles) {
          const key = keyOf(style);
          if (!kept.has(key) && failureOf(style) === undefined && !signal.aborted) {
            onProgress(kept.size, styles.length);
            const preview = await makeOnce(style, signal);
            if (preview) {
              kept.set(key, preview);
            }
          }
        }
      } finally {
        cancel();
      }
      const tiles = styles.flatMap((style) => {
        const preview = kept.get(keyOf(style));
        return preview ? [{ bytes: preview.bytes, label: style.label }] : [];
      });
      const sheet = tiles.length === 0 ? undefined : await asServiceError(tools.sheet(tiles));
      return {
        number,
        pages: pages.length,
        styles,
        sheet,
        missing: styles.length - tiles.length,
        isBudgetSpent: styles.some((style) => failureOf(style) === "budget-spent"),
      };
    },
  };
}

const PAGE = 10;

/** Splits styles into pages. Groups keep the catalogue's order, and several share a page if they fit. */
export function paginate(styles: readonly Style[]): readonly (readonly Style[])[] {
  const groups = Map.groupBy(styles, ({ group }) => group);
  const pages: Style[][] = [];
  for (const group of groups.values()) {
    for (const part of chunk(group, PAGE)) {
      const last = pages.at(-1);
      if (last && last.length + part.length <= PAGE) {
        last.push(...part);
      } else {
        pages.push([...part]);
      }
    }
  }
  return pages;
}

// The bot's own picture for previews, so that nobody's photograph is sent anywhere. It has a plain sky, fine detail, edges,
// light and dark, in which styles differ most.

export const SAMPLE_PICTURE_DESCRIPTION = "A red train before green hills and the sea, in the evening sun";

/** Returns a PNG, 768 × 576 pixels. */
export function readSamplePicture(): Promise<Uint8Array> {
  return readFile(new URL("sample-picture.png", import.meta.url));
}
