// Restyled pictures: what may be asked of the service that makes them, and what comes back.
import type { Picture } from "../../render/pictures.ts";
import type { FetchableAttachment } from "../attachments/fetch-attachment.ts";
import type { Asker } from "./line.ts";
import type { Style } from "./catalogue.ts";

/** A picture on Discord. */
export interface PictureSource extends FetchableAttachment {
  /** It was made ready by this bot already: it is passed on as it is, so that no press of a button wears it out. */
  readonly isReady?: boolean;
}

/** What a picture is to become. */
export interface StyleChoice {
  readonly style: Style;
  /** A second style, half and half with the first. */
  readonly blend: Style | undefined;
  /** 1 to 100: 100 is the whole effect. */
  readonly intensity: number;
}

/** Where work stands. */
export type RestyleProgress =
  /** Others come first; 1 is the next. */
  | { readonly stage: "waiting"; readonly position: number }
  /** The picture is fetched and made ready. */
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
export interface Restyled extends StyleChoice {
  readonly before: Picture;
  readonly after: Picture;
  /** `undefined` where the whole effect was wanted. */
  readonly intensityBy: Maker | undefined;
  /** `undefined` for one style. */
  readonly blendBy: Maker | undefined;
  /** It moved; this is its first frame. */
  readonly wasAnimated: boolean;
  /** It was larger than the service takes. */
  readonly wasReduced: boolean;
  /** The result was made smaller to be sent. */
  readonly isFitted: boolean;
}

/** A picture to be restyled. */
export interface RestyleOrder extends StyleChoice {
  readonly picture: PictureSource;
  readonly by: Asker;
  /** The message whose picture it is, where it is one of the bot's own: a person's work on it is one at a time. */
  readonly messageId?: string | undefined;
  /** How large each picture may be that comes back. */
  readonly maxBytes: number;
  /** `workId` names the work to {@link Restyle.cancel}. */
  readonly onProgress: (state: RestyleProgress, workId: string) => void;
}

/** What became of a wish to stop: `gone` also after a restart. */
export type Cancelled = "stopped" | "gone" | "not-yours";

/** Whose pictures are looked at, and how large each may be that comes back. */
export interface LookOrder {
  readonly by: Asker;
  readonly maxBytes: number;
}

/**
 * All that takes pictures throws UserError for one that cannot be used and for a person whose line is full, ServiceError
 * of `style` for what the service does, of `discord` where the picture cannot be fetched, `aborted` once cancelled.
 */
export interface Restyle {
  /** The catalogue's, in its order; empty where a style is a free word. */
  readonly styles: readonly Style[];
  suggest(text: string, limit: number): readonly Style[];
  /** Throws a UserError that names near ones. */
  resolve(text: string): Style;
  process(order: RestyleOrder): Promise<Restyled>;
  cancel(workId: string, userId: string): Cancelled;
  /** Makes pictures ready without restyling them; those that cannot be used are passed over if another can. */
  look(pictures: readonly PictureSource[], order: LookOrder): Promise<readonly Looked[]>;
  /** A picture of this bot's own as a file of at most so many bytes, as good as it gets. */
  download(picture: PictureSource, order: LookOrder): Promise<Picture>;
}

/** A picture that was made ready. */
export interface ReadyPicture extends Picture {
  /** It moved; this is its first frame. */
  readonly wasAnimated: boolean;
  /** It was larger than the service takes. */
  readonly wasReduced: boolean;
}

export interface Looked extends ReadyPicture {
  /** Its place among those that were to be looked at. */
  readonly index: number;
}
