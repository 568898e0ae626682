// Takes pictures from Discord through the line to the style service and back.
import type { Clock } from "../../core/clock.ts";
import { ServiceError, UserError } from "../../core/errors.ts";
import type { PictureTools } from "../../render/pictures.ts";
import type { AttachmentFetcher } from "../attachments/fetch-attachment.ts";
import type { Catalogue } from "./catalogue.ts";
import { ofPerson, ofService } from "./explain-picture.ts";
import { createLine, throwIfAborted, type Line } from "./line.ts";
import type { Paint } from "./paint.ts";
import type {
  LookOrder,
  Looked,
  PictureSource,
  ReadyPicture,
  Restyle,
  RestyleOrder,
  RestyleProgress,
  Restyled,
} from "./restyle.ts";
import { resolveStyle, suggestStyles } from "./suggest-styles.ts";
import { createWorks } from "./works.ts";

export interface RestyleDependencies {
  readonly catalogue: Catalogue;
  readonly paint: Paint;
  readonly tools: PictureTools;
  readonly attachments: AttachmentFetcher;
  readonly clock: Clock;
  /** The line for the service, which others may use as well. */
  readonly line: Line;
}

/** A picture that a phone or a camera makes is smaller; it lies in memory while it is made ready. */
const MAX_INPUT_BYTES = 20 * 1_048_576;

/** The line for the service: two pictures under way are what memory bears, and mostly what services do at once. */
export const SERVICE_LINE = { lanes: 2, perPerson: 2, perPlace: 5, most: 40 };
/** Making pictures ready is a matter of a second. */
const LOOKING_LINE = { lanes: 2, perPerson: 2, perPlace: 10, most: 40 };

/** An answer on Discord can be changed for 15 minutes: the line and the service must be done before. */
const DEADLINE_MS = 13 * 60_000;

export function createRestyle(dependencies: RestyleDependencies): Restyle {
  const { catalogue, paint, tools, attachments, clock, line } = dependencies;
  const { styles, limits } = catalogue;
  const works = createWorks();
  const looking = createLine(LOOKING_LINE);

  async function open(source: PictureSource, maxBytes: number, signal: AbortSignal): Promise<ReadyPicture> {
    const bytes = await attachments.fetch(source, { maxBytes: MAX_INPUT_BYTES, signal });
    throwIfAborted(signal);
    const most = Math.min(maxBytes, limits.maxBytes);
    if (!source.isReady) {
      return ofPerson(tools.prepare(bytes, { maxBytes: most, maxSide: limits.maxSide }));
    }
    const ready = await ofPerson(tools.fit(bytes, most, limits.maxSide));
    return { ...ready, wasAnimated: false, wasReduced: false };
  }

  async function make(order: RestyleOrder, workId: string, signal: AbortSignal): Promise<Restyled> {
    const { picture, style, blend, intensity, maxBytes } = order;
    const onProgress = (state: RestyleProgress): void => order.onProgress(state, workId);
    onProgress({ stage: "preparing" });
    const before = await open(picture, maxBytes, signal);
    const painted = await paint(before, { style, blend, intensity }, { signal, onProgress });
    const after = await ofService(tools.fit(painted.picture.bytes, maxBytes));
    throwIfAborted(signal);
    return {
      style,
      blend,
      intensity,
      before,
      after,
      intensityBy: painted.intensityBy,
      blendBy: painted.blendBy,
      wasAnimated: before.wasAnimated,
      wasReduced: before.wasReduced || painted.wasReduced,
      isFitted: after.width < painted.picture.width,
    };
  }

  async function lookAt(
    pictures: readonly PictureSource[],
    { maxBytes }: LookOrder,
    signal: AbortSignal,
  ): Promise<readonly Looked[]> {
    const looked: Looked[] = [];
    let failure: unknown;
    for (const [index, picture] of pictures.entries()) {
      try {
        looked.push({ ...(await open(picture, maxBytes, signal)), index });
      } catch (error) {
        if (!isOfPicture(error)) {
          throw error;
        }
        failure ??= error;
      }
    }
    if (looked.length === 0) {
      throw failure;
    }
    return looked;
  }

  function inLookingLine<T>(order: LookOrder, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = new AbortController();
    return looking.run(order.by, () => work(signal), { signal, onPosition: () => undefined });
  }

  return {
    styles,
    suggest: (text, limit) => suggestStyles(catalogue, text, limit),
    resolve: (text) => resolveStyle(catalogue, text),
    async process(order) {
      const work = works.begin(order.by.userId, order.messageId);
      let isLate = false;
      const cancelDeadline = clock.after(DEADLINE_MS, () => {
        isLate = true;
        work.stop();
      });
      try {
        return await line.run(order.by, () => make(order, work.id, work.signal), {
          signal: work.signal,
          onPosition: (position) => order.onProgress({ stage: "waiting", position }, work.id),
        });
      } catch (error) {
        throw isLate
          ? new ServiceError("style", "timeout", "not done within 13 minutes", { cause: error })
          : error;
      } finally {
        cancelDeadline();
        work.end();
      }
    },
    cancel: (workId, userId) => works.cancel(workId, userId),
    look: (pictures, order) => inLookingLine(order, (signal) => lookAt(pictures, order, signal)),
    download: (picture, order) =>
      inLookingLine(order, async (signal) => {
        const bytes = await attachments.fetch(picture, { maxBytes: MAX_INPUT_BYTES, signal });
        return ofPerson(tools.fit(bytes, order.maxBytes));
      }),
  };
}

/** Whether another picture may well be usable where this one is not. */
function isOfPicture(error: unknown): boolean {
  return error instanceof UserError || (error instanceof ServiceError && error.kind !== "aborted");
}
