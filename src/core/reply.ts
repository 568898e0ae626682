// The bot's messages as plain data. Only src/discord converts them to Discord's format and enforces its limits.
import type { ComponentTarget } from "./component-id.ts";

export interface Reply {
  readonly blocks: readonly Block[];
  /** Files, which gallery and file blocks refer to by name, e.g. `board.png`. */
  readonly files?: readonly ReplyFile[];
  /** `private`: only the person who asked sees it. Default `public`. */
  readonly visibility?: Visibility;
}

export type Visibility = "public" | "private";

/** Discord's limit for alt text, in characters. */
export const ALT_TEXT_LIMIT = 1_024;
/** Discord's limit for the choices of a menu or a list of suggestions. */
export const CHOICES_LIMIT = 25;

export interface ReplyFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The alt text: what the file shows, in at most {@link ALT_TEXT_LIMIT} characters. */
  readonly description: string;
}

export type Block = ContainerBlock | ContentBlock;

export interface ContainerBlock {
  readonly type: "container";
  /** 0 to 0xFFFFFF. */
  readonly accent?: number;
  readonly blocks: readonly ContentBlock[];
}

export type ContentBlock =
  /** Markdown. Mentions in it never ping. Text of users must go through `escapeMarkdown`. */
  | { readonly type: "text"; readonly text: string }
  | SectionBlock
  | GalleryBlock
  | FileBlock
  | { readonly type: "separator" }
  | ButtonsBlock
  | SelectBlock;

/** One to three texts with a button or a small picture beside them. */
export interface SectionBlock {
  readonly type: "section";
  readonly texts: readonly string[];
  readonly accessory: Button | Thumbnail;
}

export interface Thumbnail {
  readonly type: "thumbnail";
  /** The name of one of the reply's files. */
  readonly file: string;
  readonly description: string;
  readonly spoiler?: boolean;
}

/** One to ten pictures or videos. */
export interface GalleryBlock {
  readonly type: "gallery";
  readonly items: readonly (
    | {
        /** The name of one of the reply's files, whose description is the alt text. */
        readonly file: string;
        readonly spoiler?: boolean;
      }
    /** A file at another URL, e.g. a video that somebody attached to another message. */
    | { readonly url: string; readonly description: string }
  )[];
}

export interface FileBlock {
  readonly type: "file";
  readonly file: string;
  readonly spoiler?: boolean;
}

/** Up to five buttons in a row. */
export interface ButtonsBlock {
  readonly type: "buttons";
  readonly buttons: readonly Button[];
}

export type Button = ActionButton | LinkButton;

export interface ActionButton {
  readonly type: "button";
  readonly label: string;
  readonly emoji?: string;
  readonly style?: "primary" | "secondary" | "success" | "danger";
  readonly disabled?: boolean;
  readonly target: ComponentTarget;
}

export interface LinkButton {
  readonly type: "link";
  readonly label: string;
  readonly url: string;
}

/** A menu of up to 25 choices. The action gets the chosen values together with its args. */
export interface SelectBlock {
  readonly type: "select";
  readonly target: ComponentTarget;
  readonly placeholder: string;
  readonly choices: readonly SelectChoice[];
  /** How many choices may be made. Default 1. */
  readonly max?: number;
}

export interface SelectChoice {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly chosen?: boolean;
}

/** A form that opens in the client. It must be the first answer to an interaction. */
export interface Modal {
  readonly type: "modal";
  readonly target: ComponentTarget;
  /** At most 45 characters. */
  readonly title: string;
  /** One to five. */
  readonly fields: readonly ModalField[];
  /** The input is secret: it is not kept, not even to offer it for correction. */
  readonly isSecret?: boolean;
}

/** Deletes the message that contains the component, instead of an answer. */
export interface Removal {
  readonly type: "removal";
}

export type ModalField = TextField | ChoiceField | UploadField;

interface FieldBase {
  /** The key under which the action gets the input. */
  readonly name: string;
  /** At most 45 characters. */
  readonly label: string;
  readonly description?: string;
  /** Default true. */
  readonly required?: boolean;
}

export interface TextField extends FieldBase {
  readonly type: "text";
  readonly lines: "one" | "many";
  readonly value?: string;
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

export interface ChoiceField extends FieldBase {
  readonly type: "choice";
  readonly choices: readonly SelectChoice[];
  readonly max?: number;
}

/** For one file. */
export interface UploadField extends FieldBase {
  readonly type: "upload";
}

/** Shows a person's or a service's text verbatim: no formatting, links, mentions or names of services in it. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(DIRECTION_CONTROLS, "")
    .replace(/[\\*_~`|>#\-[\]()<@:]/g, "\\$&")
    .replace(SERVICE_SPACE, "\u00A0");
}

/** They change the direction even of the text after them: a name could rewrite the rest of its line. */
export const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** `words` are Markdown. Brackets in the address, which could end the link, are percent-encoded. */
export function markdownLink(words: string, address: string): string {
  return `[${words}](${address.replace(/[()<>]/g, percentEncode)})`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The operator's name replaces "the video service" in the bot's sentences. A no-break space prevents that. */
const SERVICE_SPACE = /(?<=\bthe (?:style|video|train data)) (?=service\b)/gi;

/** The colour of the frame around the bot's messages: the amber of a departure board's lamps. */
export const ACCENT = 0xffb52e;
export const SUCCESS_ACCENT = 0x2fa36b;

/** Buttons in a row. `undefined` and false are omitted. */
export type Row = readonly (Button | undefined | false)[];

/** A file is a picture, shown at its position. `undefined`, false, empty texts and rows without buttons are omitted. */
export type Part = string | Row | ContentBlock | ReplyFile | undefined | false;

function isPicture(part: Part): part is ReplyFile {
  return typeof part === "object" && "bytes" in part;
}

function filesOf(parts: readonly Part[]): Pick<Reply, "files"> {
  const files = parts.filter(isPicture);
  return files.length > 0 ? { files } : {};
}

function blocksOf(parts: readonly Part[]): readonly ContentBlock[] {
  return parts.flatMap((part): readonly ContentBlock[] => {
    if (part === undefined || part === false || part === "") {
      return [];
    }
    if (typeof part === "string") {
      return [{ type: "text", text: part }];
    }
    if (isPicture(part)) {
      return [{ type: "gallery", items: [{ file: part.name }] }];
    }
    if ("type" in part) {
      return [part];
    }
    const buttons = part.filter((button) => button !== undefined && button !== false);
    return buttons.length === 0 ? [] : [{ type: "buttons", buttons }];
  });
}

export function buttonTo(
  label: string,
  target: ComponentTarget,
  look: Pick<ActionButton, "emoji" | "style" | "disabled"> = {},
): ActionButton {
  return { type: "button", label, ...look, target };
}

/** `undefined` if there are no choices. */
export function menu(
  target: ComponentTarget,
  placeholder: string,
  choices: readonly SelectChoice[],
): SelectBlock | undefined {
  return choices.length === 0 ? undefined : { type: "select", target, placeholder, choices };
}

/** In the frame of the bot's messages. */
export function card(parts: readonly Part[], accent = ACCENT): Reply {
  return { blocks: [{ type: "container", accent, blocks: blocksOf(parts) }], ...filesOf(parts) };
}

export function privateCard(parts: readonly Part[]): Reply {
  return { ...card(parts), visibility: "private" };
}

export function plainReply(parts: readonly Part[], visibility: Visibility = "public"): Reply {
  return { blocks: blocksOf(parts), visibility, ...filesOf(parts) };
}

export function textReply(text: string, visibility?: Visibility, buttons: readonly Button[] = []): Reply {
  return plainReply([text, buttons], visibility);
}
