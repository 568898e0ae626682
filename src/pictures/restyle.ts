// Restyled pictures: what may be asked of the service that makes them, and what comes back.
import { randomBytes } from "node:crypto";
import type { Picture } from "../render/pictures.ts";
import type { PictureTools } from "../render/picture-tools.ts";
import type { Asker } from "../core/asker.ts";
import type { Attachments, FetchableAttachment } from "../core/attachments.ts";
import { PREPARING_QUEUE, type Queue, createQueue, throwIfAborted } from "./queue.ts";
import type { Catalogue, Style } from "./catalogue.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError, UserError } from "../core/errors.ts";
import { ofPerson, ofService } from "./explain-picture.ts";
import type { ApplyStyle, StyledPicture } from "./apply-style.ts";
import { findStyleIn, resolveStyle, suggestStyles } from "./suggest-styles.ts";

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
export type Maker = "service" | "bot";

/** A picture before and after. */
export interface Restyled extends StyleChoice, Omit<StyledPicture, "picture"> {
  readonly before: Picture;
  readonly after: Picture;
  /** It moved; this is its first frame. */
  readonly wasAnimated: boolean;
  /** The result was made smaller to be sent. */
  readonly isFitted: boolean;
}

export interface RestyleOrder extends StyleChoice {
  readonly picture: PictureSource;
  readonly by: Asker;
  /** The message whose picture it is, where it is one of the bot's own: a person's work on it is one at a time. */
  readonly messageId?: string | undefined;
  readonly maxBytes: number;
  /** `workId` names the work to `cancel`. */
  readonly onProgress: (state: RestyleProgress, workId: string) => void;
}

/** What became of a wish to stop: `gone` also after a restart. */
type Cancelled = "stopped" | "gone" | "not-yours";

/** Whose pictures are prepared at, and how large each may be that comes back. */
export interface PrepareOrder {
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

/** An answer on Discord can be changed for 15 minutes: the queue and the service must be done before. */
const DEADLINE_MS = 13 * 60_000;
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
  const works = createWorks();
  const preparing = createQueue(PREPARING_QUEUE);

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
    const styled = await applyStyle(before, { style, blend, intensity }, { signal, onProgress, maxBytes });
    const after = await ofService(tools.fit(styled.picture.bytes, maxBytes));
    throwIfAborted(signal);
    const { picture: made, ...how } = styled;
    return {
      ...how,
      style,
      blend,
      intensity,
      before,
      after,
      wasAnimated: before.wasAnimated,
      wasReduced: before.wasReduced || how.wasReduced,
      isFitted: how.isFitted || after.width < made.width,
    };
  }

  async function prepareAll(
    pictures: readonly PictureSource[],
    { maxBytes }: PrepareOrder,
    signal: AbortSignal,
  ): Promise<readonly PreparedPicture[]> {
    const prepared: PreparedPicture[] = [];
    let failure: unknown;
    for (const [index, picture] of pictures.entries()) {
      try {
        prepared.push({ ...(await open(picture, maxBytes, signal)), index });
      } catch (error) {
        if (!isOfPicture(error)) {
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

  function whilePreparing<T>(order: PrepareOrder, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = new AbortController();
    return preparing.run(order.by, () => work(signal), { signal, onPosition: () => undefined });
  }

  /** One person's work, as long as it is in use: they can stop it, and it stops in time for an answer on Discord. */
  function beginWork({ by, messageId }: Pick<RestyleOrder, "by" | "messageId">) {
    const work = works.begin(by.userId, messageId);
    const endsAtMs = clock.elapsed() + DEADLINE_MS;
    let isLate = false;
    const cancelDeadline = clock.after(DEADLINE_MS, () => {
      isLate = true;
      work.stop();
    });
    return {
      leftMs: () => endsAtMs - clock.elapsed(),
      async restyle(order: RestyleOrder): Promise<Restyled> {
        try {
          return await queue.run(order.by, () => make(order, work.id, work.signal), {
            signal: work.signal,
            onPosition: (position) => order.onProgress({ stage: "waiting", position }, work.id),
          });
        } catch (error) {
          throw isLate ? new ServiceError("style", "timeout", NOT_DONE, { cause: error }) : error;
        }
      },
      [Symbol.dispose](): void {
        cancelDeadline();
        work.end();
      },
    };
  }

  return {
    styles,
    suggest: (text: string, limit: number, recent: readonly string[]): readonly Style[] =>
      suggestStyles(catalogue, text, limit, recent),
    findIn: (text: string): Style | undefined => findStyleIn(catalogue, text),
    /** Throws a UserError that names near ones. */
    resolve: (text: string): Style => resolveStyle(catalogue, text),
    async process(order: RestyleOrder): Promise<Restyled> {
      using work = beginWork(order);
      return await work.restyle(order);
    },
    /** One style after the other, in the time that one picture may take; throws only where nothing was made, or once cancelled. */
    async processEach(
      order: Omit<RestyleOrder, "style">,
      wanted: readonly Style[],
    ): Promise<{ readonly made: readonly [Restyled, ...Restyled[]]; readonly failed: readonly Style[] }> {
      using work = beginWork(order);
      const made: Restyled[] = [];
      const failed: Style[] = [];
      let failure: unknown;
      for (const style of wanted) {
        try {
          if (work.leftMs() < LEAST_MS) {
            throw new ServiceError("style", "timeout", NOT_DONE);
          }
          made.push(await work.restyle({ ...order, style }));
        } catch (error) {
          if (!isOfPicture(error)) {
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
    cancel: (workId: string, userId: string): Cancelled => works.cancel(workId, userId),
    /** Makes pictures ready without restyling them; those that cannot be used are passed over if another can. */
    prepare: (pictures: readonly PictureSource[], order: PrepareOrder): Promise<readonly PreparedPicture[]> =>
      whilePreparing(order, (signal) => prepareAll(pictures, order, signal)),
    /** A result that a message shows, and what it was made from, as {@link Restyled}. */
    reopen: (
      { before, after }: { readonly before: FetchableAttachment; readonly after: FetchableAttachment },
      choice: StyleChoice,
      order: PrepareOrder,
    ): Promise<Restyled> =>
      whilePreparing(order, async (signal) => {
        const opened = await open({ ...before, isReady: true }, order.maxBytes, signal);
        const bytes = await attachments.fetch(after, { maxBytes: MAX_INPUT_BYTES, signal });
        return {
          ...choice,
          before: opened,
          after: await ofPerson(tools.fit(bytes, order.maxBytes)),
          intensityBy: choice.intensity === 100 ? undefined : catalogue.intensity ? "service" : "bot",
          blendBy: undefined,
          wasAnimated: false,
          wasReduced: false,
          isFitted: false,
        };
      }),
    /** A picture of this bot's own as a file of at most this many bytes, as good as it gets. */
    download: (picture: PictureSource, order: PrepareOrder): Promise<Picture> =>
      whilePreparing(order, async (signal) => {
        const bytes = await attachments.fetch(picture, { maxBytes: MAX_INPUT_BYTES, signal });
        return ofPerson(tools.fit(bytes, order.maxBytes));
      }),
  };
}

const NOT_DONE = "not done within 13 minutes";

/** Whether another picture may well be usable where this one is not. */
function isOfPicture(error: unknown): boolean {
  return error instanceof UserError || (error instanceof ServiceError && error.kind !== "aborted");
}

// What is under way in this process, so that the person who asked can stop it. After a restart nothing is.

interface Entry {
  readonly userId: string;
  readonly messageId: string | undefined;
  readonly controller: AbortController;
}

export function createWorks() {
  const underWay = new Map<string, Entry>();

  return {
    /** Throws a UserError where this person has work under way on the same message already. */
    begin(userId: string, messageId: string | undefined) {
      const others = [...underWay.values()];
      if (
        messageId !== undefined &&
        others.some((other) => other.userId === userId && other.messageId === messageId)
      ) {
        throw new UserError("I'm already working on this one. Please wait until it's done, or cancel it.");
      }
      const id = randomBytes(6).toString("hex");
      const controller = new AbortController();
      underWay.set(id, { userId, messageId, controller });
      return {
        /** Names it in the button that stops it. */
        id,
        signal: controller.signal,
        stop: (): void => controller.abort(),
        /** It is done, one way or the other. */
        end: (): void => void underWay.delete(id),
      };
    },
    cancel(id: string, userId: string): Cancelled {
      const work = underWay.get(id);
      if (!work) {
        return "gone";
      }
      if (work.userId !== userId) {
        return "not-yours";
      }
      work.controller.abort();
      return "stopped";
    },
  };
}
