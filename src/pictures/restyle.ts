// Restyled pictures: what may be asked of the service that makes them, and what comes back.
import type { Picture } from "../render/pictures.ts";
import type { PictureTools } from "../render/picture-tools.ts";
import type { Asker } from "../core/asker.ts";
import type { Attachments, FetchableAttachment } from "../core/attachments.ts";
import { PREPARING_QUEUE, type Queue, createQueue, throwIfAborted } from "./queue.ts";
import type { Catalogue, Style } from "./catalogue.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError, UserError } from "../core/errors.ts";
import { asUserError, asServiceError } from "./explain-picture.ts";
import type { ApplyStyle, StyledPicture } from "./apply-style.ts";
import { findStyleIn, resolveStyle, suggestStyles } from "./suggest-styles.ts";
import { type CancelOutcome, type Work, createRunningWork, tooLate } from "./running-work.ts";

interface PictureSource extends FetchableAttachment {
  /** It was made ready by this bot already: it is passed on as it is, so that no press of a button wears it out. */
  readonly isReady?: boolean;
}

export interface StyleChoice {
  readonly style: Style;
  /** A second style, half and half with the first. */
  readonly blend: Style | undefined;
  /** 1 to 100: 100 is the whole effect. */
  readonly intensity: number;
}

export type RestyleProgress =
  /** Others come first; 1 is the next. */
  | { readonly stage: "waiting"; readonly position: number }
  | { readonly stage: "preparing" }
  /** The service works: on which of its pictures of how many, how far in 0 to 1 and how many before it, if it says so. */
  | {
      readonly stage: "restyling";
      readonly part: number;
      readonly parts: number;
      readonly share: number | undefined;
      readonly position: number | undefined;
    };

/** Who did what a service may do by itself: it, by a parameter, or this bot by laying pictures over each other. */
export type AppliedBy = "service" | "bot";

/** A picture before and after. */
export interface Restyled extends StyleChoice, Omit<StyledPicture, "picture"> {
  readonly before: Picture;
  readonly after: Picture;
  /** It moved; this is its first frame. */
  readonly wasAnimated: boolean;
  /** The result was made smaller to be sent. */
  readonly isFitted: boolean;
}

export interface RestyleRequest extends StyleChoice {
  readonly picture: PictureSource;
  readonly by: Asker;
  /** The message whose picture it is, where it is one of the bot's own: a person's work on it is one at a time. */
  readonly messageId?: string | undefined;
  readonly maxBytes: number;
  /** `workId` names the work to `cancel`. */
  readonly onProgress: (state: RestyleProgress, workId: string) => void;
}

/** Whose pictures are prepared at, and how large each may be that comes back. */
export interface PrepareOptions {
  readonly by: Asker;
  readonly maxBytes: number;
}

export interface ReadyPicture extends Picture, Pick<Restyled, "wasAnimated" | "wasReduced"> {}

export interface PreparedPicture extends ReadyPicture {
  /** Its place among those that were to be made ready. */
  readonly index: number;
}

/** A picture that a phone or a camera makes is smaller; it lies in memory while it is made ready. */
const MAX_INPUT_BYTES = 20 * 1_048_576;

/** With less time than this before it, no further picture is begun: it would be paid for, and most likely not come. */
const LEAST_MS = 60_000;

/** Throws UserError if the picture is unsuitable or the queue is full, and ServiceErrors of `style` and `discord`, or `aborted`. */
export function createRestyle(deps: {
  readonly catalogue: Catalogue;
  readonly applyStyle: ApplyStyle;
  readonly tools: PictureTools;
  readonly attachments: Pick<Attachments, "fetch">;
  readonly clock: Clock;
  /** The queue for the service, which others may use as well. */
  readonly queue: Queue;
}) {
  const { catalogue, applyStyle, tools, attachments, clock, queue } = deps;
  const { styles, limits } = catalogue;
  const runningWork = createRunningWork(clock);
  const preparing = createQueue(PREPARING_QUEUE);

  async function open(source: PictureSource, maxBytes: number, signal: AbortSignal): Promise<ReadyPicture> {
    const bytes = await attachments.fetch(source, { maxBytes: MAX_INPUT_BYTES, signal });
    throwIfAborted(signal);
    const most = Math.min(maxBytes, limits.maxBytes);
    if (!source.isReady) {
      return asUserError(tools.prepare(bytes, { maxBytes: most, maxSide: limits.maxSide }));
    }
    const ready = await asUserError(tools.fit(bytes, most, limits.maxSide));
    return { ...ready, wasAnimated: false, wasReduced: false };
  }

  async function make(
    before: ReadyPicture,
    { style, blend, intensity, maxBytes }: StyleChoice & Pick<RestyleRequest, "maxBytes">,
    how: { readonly signal: AbortSignal; readonly onProgress: (state: RestyleProgress) => void },
  ): Promise<Restyled> {
    const styled = await applyStyle(before, { style, blend, intensity }, { ...how, maxBytes });
    const after = await asServiceError(tools.fit(styled.picture.bytes, maxBytes));
    throwIfAborted(how.signal);
    const { picture: made, ...facts } = styled;
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

  async function prepareAll(
    pictures: readonly PictureSource[],
    { maxBytes }: PrepareOptions,
    signal: AbortSignal,
  ): Promise<readonly PreparedPicture[]> {
    const prepared: PreparedPicture[] = [];
    let failure: unknown;
    for (const [index, picture] of pictures.entries()) {
      try {
        prepared.push({ ...(await open(picture, maxBytes, signal)), index });
      } catch (error) {
        if (!mayContinueAfter(error)) {
          throw error;
        }
        failure ??= error;
      }
    }
    if (prepared.length === 0) {
      throw failure;
    }
    return prepared;
  }

  function whilePreparing<T>({ by }: PrepareOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = new AbortController();
    return preparing.run(by, () => work(signal), { signal, onPosition: () => undefined });
  }

  /** Restyles one picture, which is made ready once, in one style after the other. */
  function restyleWithin(work: Work, request: Omit<RestyleRequest, keyof StyleChoice>) {
    const { picture, by, maxBytes } = request;
    const { signal } = work;
    const onProgress = (state: RestyleProgress): void => request.onProgress(state, work.id);
    const onPosition = (position: number): void => onProgress({ stage: "waiting", position });
    let opened: ReadyPicture | undefined;

    async function openOnce(): Promise<ReadyPicture> {
      if (opened === undefined) {
        onProgress({ stage: "preparing" });
        opened = await open(picture, maxBytes, signal);
      }
      return opened;
    }

    /** `part` of `parts`, where there are several styles. */
    return (choice: StyleChoice, part = 1, parts = 1): Promise<Restyled> => {
      const tell = (state: RestyleProgress): void =>
        onProgress(parts > 1 && state.stage === "restyling" ? { ...state, part, parts } : state);
      const turn = async (): Promise<Restyled> =>
        make(await openOnce(), { ...choice, maxBytes }, { signal, onProgress: tell });
      return work.inTime(queue.run(by, turn, { signal, onPosition }));
    };
  }

  return {
    styles,
    suggest: (text: string, limit: number, recent: readonly string[]): readonly Style[] =>
      suggestStyles(catalogue, text, limit, recent),
    findIn: (text: string): Style | undefined => findStyleIn(catalogue, text),
    /** Throws a UserError that names near ones. */
    resolve: (text: string): Style => resolveStyle(catalogue, text),
    async process(request: RestyleRequest): Promise<Restyled> {
      using work = runningWork.begin(request.by.userId, request.messageId);
      return await restyleWithin(work, request)(request);
    },
    /** One style after the other, in the time that one picture may take; throws only where nothing was made, or once cancelled. */
    async processEach(
      request: Omit<RestyleRequest, "style">,
      wanted: readonly Style[],
    ): Promise<{ readonly made: readonly [Restyled, ...Restyled[]]; readonly failed: readonly Style[] }> {
      using work = runningWork.begin(request.by.userId, request.messageId);
      const restyleIn = restyleWithin(work, request);
      const made: Restyled[] = [];
      const failed: Style[] = [];
      let failure: unknown;
      for (const [index, style] of wanted.entries()) {
        try {
          if (work.leftMs() < LEAST_MS) {
            throw tooLate();
          }
          made.push(await restyleIn({ ...request, style }, index + 1, wanted.length));
        } catch (error) {
          if (!mayContinueAfter(error)) {
            throw error;
          }
          failure ??= error;
          failed.push(style);
        }
      }
      const [first, ...others] = made;
      if (!first) {
        throw failure;
      }
      return { made: [first, ...others], failed };
    },
    cancel: (workId: string, userId: string): CancelOutcome => runningWork.cancel(workId, userId),
    /** Makes pictures ready without restyling them; those that cannot be used are passed over if another can. */
    prepare: (
      pictures: readonly PictureSource[],
      options: PrepareOptions,
    ): Promise<readonly PreparedPicture[]> =>
      whilePreparing(options, (signal) => prepareAll(pictures, options, signal)),
    /** A result that a message shows, and what it was made from, as {@link Restyled}. */
    reopen: (
      { before, after }: { readonly before: FetchableAttachment; readonly after: FetchableAttachment },
      choice: StyleChoice,
      options: PrepareOptions,
    ): Promise<Restyled> =>
      whilePreparing(options, async (signal) => {
        const opened = await open({ ...before, isReady: true }, options.maxBytes, signal);
        const bytes = await attachments.fetch(after, { maxBytes: MAX_INPUT_BYTES, signal });
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
    /** A picture of this bot's own as a file of at most this many bytes, as good as it gets. */
    download: (picture: PictureSource, options: PrepareOptions): Promise<Picture> =>
      whilePreparing(options, async (signal) => {
        const bytes = await attachments.fetch(picture, { maxBytes: MAX_INPUT_BYTES, signal });
        return asUserError(tools.fit(bytes, options.maxBytes));
      }),
  };
}

/** Whether another picture may well be usable where this one is not. */
function mayContinueAfter(error: unknown): boolean {
  return error instanceof UserError || (error instanceof ServiceError && error.kind !== "aborted");
}
