import type { Picture, PreparedPicture } from "../render/pictures.ts";
import type { PictureTools } from "../render/picture-tools.ts";
import type { Asker } from "../core/asker.ts";
import type { Attachments, FetchableAttachment } from "../core/attachments.ts";
import { PREPARING_QUEUE, type Queue, createQueue, throwIfAborted } from "./queue.ts";
import { type Catalogue, type Style, findStyleIn, resolveStyle, suggestStyles } from "./catalogue.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError, UserError } from "../core/errors.ts";
import { asUserError, asServiceError } from "./explain-picture.ts";
import type { ApplyStyle, StyledPicture } from "./apply-style.ts";
import { type CancelOutcome, type Work, createRunningWork, tooLate } from "./running-work.ts";

export interface StyleChoice {
  readonly style: Style;
  /** A second style, half and half with the first. */
  readonly blend: Style | undefined;
  /** 1 to 100, where 100 is the full effect. */
  readonly intensity: number;
}

export type RestyleProgress =
  /** Position 1 is the next. */
  | { readonly stage: "waiting"; readonly position: number }
  | { readonly stage: "preparing" }
  /** The service makes result `part` of `parts`. `share` (0 to 1) and `position` in its queue are as it reports. */
  | {
      readonly stage: "restyling";
      readonly part: number;
      readonly parts: number;
      readonly share: number | undefined;
      readonly position: number | undefined;
    };

/** Who applied the strength or mixed two styles: the service by a parameter, or this bot by blending pictures. */
export type AppliedBy = "service" | "bot";

export interface Restyled extends StyleChoice, Omit<StyledPicture, "picture"> {
  readonly before: Picture;
  readonly after: Picture;
  /** The original was animated; `before` is its first frame. */
  readonly wasAnimated: boolean;
}

export interface PrepareOptions {
  readonly by: Asker;
  readonly maxBytes: number;
}

export interface RestyleRequest extends StyleChoice, PrepareOptions {
  readonly picture: FetchableAttachment;
  /** The bot's message that contains the picture, if any. A person can have only one request running on it. */
  readonly messageId?: string | undefined;
  /** `workId` names the work to `cancel`. */
  readonly onProgress: (state: RestyleProgress, workId: string) => void;
}

/** Pictures from phones and cameras are smaller. A picture is in memory while it is prepared. */
const MAX_INPUT_BYTES = 20 * 1_048_576;

/** With less time than this left, no further picture is started: it would be paid for, and probably come too late. */
const MIN_MS = 60_000;

/** Its methods throw UserError for an unsuitable picture or a full queue; ServiceErrors of `style` and `discord`. */
export function createRestyle(deps: {
  readonly catalogue: Catalogue;
  readonly applyStyle: ApplyStyle;
  readonly tools: PictureTools;
  readonly attachments: Pick<Attachments, "fetch">;
  readonly clock: Clock;
  /** The queue for the style service, shared with other users of it. */
  readonly queue: Queue;
  /** Aborts when the bot is about to stop. */
  readonly stopping: AbortSignal;
}) {
  const { catalogue, applyStyle, tools, attachments, clock, queue, stopping } = deps;
  const { styles, limits } = catalogue;
  const runningWork = createRunningWork(clock, stopping);
  const preparing = createQueue(PREPARING_QUEUE);

  async function open(
    source: FetchableAttachment,
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<PreparedPicture> {
    const bytes = await attachments.fetch(source, { maxBytes: MAX_INPUT_BYTES, signal });
    throwIfAborted(signal);
    const most = Math.min(maxBytes, limits.maxBytes);
    return asUserError(tools.prepare(bytes, { maxBytes: most, maxSide: limits.maxSide }));
  }

  async function make(
    before: PreparedPicture,
    { style, blend, intensity }: StyleChoice,
    how: Required<Parameters<ApplyStyle>[2]>,
  ): Promise<Restyled> {
    const { picture: made, ...facts } = await applyStyle(before, { style, blend, intensity }, how);
    const isTooLarge = made.bytes.byteLength > how.maxBytes;
    const after = isTooLarge ? await asServiceError(tools.fit(made.bytes, how.maxBytes)) : made;
    return {
      ...facts,
      style,
      blend,
      intensity,
      before,
      after,
      wasAnimated: before.wasAnimated,
      wasReduced: before.wasReduced || facts.wasReduced,
      isFitted: facts.isFitted || after.width < made.width,
    };
  }

  function whilePreparing<T>({ by }: PrepareOptions, work: () => Promise<T>): Promise<T> {
    return preparing.run(by, work, { signal: stopping });
  }

  /** Returns a function that restyles one picture; it prepares the picture only at the first call. */
  function restyleWithin(work: Work, request: Omit<RestyleRequest, keyof StyleChoice>) {
    const { picture, by, maxBytes } = request;
    const { signal } = work;
    const onProgress = (state: RestyleProgress): void => request.onProgress(state, work.id);
    const onPosition = (position: number): void => onProgress({ stage: "waiting", position });
    let opened: PreparedPicture | undefined;

    async function openOnce(): Promise<PreparedPicture> {
      if (opened === undefined) {
        onProgress({ stage: "preparing" });
        opened = await open(picture, maxBytes, signal);
      }
      return opened;
    }

    /** `part` of `parts` says which of several styles this is. */
    return (choice: StyleChoice, part = 1, parts = 1): Promise<Restyled> => {
      const tell = (state: RestyleProgress): void =>
        onProgress(parts > 1 && state.stage === "restyling" ? { ...state, part, parts } : state);
      const turn = async (): Promise<Restyled> => {
        const made = await make(await openOnce(), choice, { signal, onProgress: tell, maxBytes });
        throwIfAborted(work.cancelled);
        return made;
      };
      return work.inTime(queue.run(by, turn, { signal, onPosition }));
    };
  }

  return {
    styles,
    suggest: (text: string, limit: number, recent: readonly string[]): readonly Style[] =>
      suggestStyles(catalogue, text, limit, recent),
    findIn: (text: string): Style | undefined => findStyleIn(catalogue, text),
    /** Finds a style by name. Throws a UserError that names similar ones. */
    resolve: (text: string): Style => resolveStyle(catalogue, text),
    async process(request: RestyleRequest): Promise<Restyled> {
      using work = runningWork.begin(request.by.userId, request.messageId);
      return await restyleWithin(work, request)(request);
    },
    /**
     * All styles share the time of a single request. After a cancellation, it returns what is finished. Throws only if
     * nothing is.
     */
    async processEach(request: Omit<RestyleRequest, "style">, wanted: readonly Style[]) {
      using work = runningWork.begin(request.by.userId, request.messageId);
      const restyleIn = restyleWithin(work, request);
      return await tryEach(wanted, (style, index) => {
        if (work.leftMs() < MIN_MS) {
          throw tooLate();
        }
        return restyleIn({ ...request, style }, index + 1, wanted.length);
      });
    },
    cancel: (workId: string, userId: string): CancelOutcome => runningWork.cancel(workId, userId),
    /**
     * Prepares pictures without restyling them. Leaves out unusable ones, so each result has the `index` of its picture.
     * Throws if none is usable.
     */
    prepare: (pictures: readonly FetchableAttachment[], options: PrepareOptions) =>
      whilePreparing(options, async () => {
        const { made } = await tryEach(pictures, async (picture, index) => ({
          ...(await open(picture, options.maxBytes, stopping)),
          index,
        }));
        return made;
      }),
    /** Rebuilds a {@link Restyled} from a message that shows the result and the original. */
    reopen: (
      { before, after }: { readonly before: FetchableAttachment; readonly after: FetchableAttachment },
      choice: StyleChoice,
      options: PrepareOptions,
    ): Promise<Restyled> =>
      whilePreparing(options, async () => {
        const opened = await open(before, options.maxBytes, stopping);
        const bytes = await attachments.fetch(after, { maxBytes: MAX_INPUT_BYTES, signal: stopping });
        return {
          ...choice,
          before: opened,
          after: await asUserError(tools.fit(bytes, options.maxBytes)),
          intensityBy: choice.intensity === 100 ? undefined : catalogue.intensity ? "service" : "bot",
          blendBy: undefined,
          wasAnimated: false,
          wasReduced: false,
          isFitted: false,
        };
      }),
    /** Fetches one of the bot's own pictures in the best quality within the size limit. */
    download: (picture: FetchableAttachment, options: PrepareOptions): Promise<Picture> =>
      whilePreparing(options, async () => {
        const bytes = await attachments.fetch(picture, { maxBytes: MAX_INPUT_BYTES, signal: stopping });
        return asUserError(tools.fit(bytes, options.maxBytes));
      }),
  };
}

/** Makes one result after the other, and continues after a failure. Throws only if all failed. */
async function tryEach<T, U>(all: readonly T[], make: (one: T, index: number) => Promise<U>) {
  const made: U[] = [];
  const failed: T[] = [];
  let failure: unknown;
  for (const [index, one] of all.entries()) {
    try {
      made.push(await make(one, index));
    } catch (error) {
      if (!(error instanceof UserError || error instanceof ServiceError)) {
        throw error;
      }
      // After a cancellation, the reason for an earlier failure no longer matters.
      failure = error instanceof ServiceError && error.kind === "aborted" ? error : (failure ?? error);
      failed.push(one);
    }
  }
  const [first, ...others] = made;
  if (first === undefined) {
    throw failure;
  }
  return { made: [first, ...others] as const, failed };
}
