// What the bot says, as plain data. Views make replies; only src/discord turns them into Discord's form
// and holds them to Discord's limits.
import type { ComponentTarget } from "./component-id.ts";

export interface Reply {
  readonly blocks: readonly Block[];
  /** Files that a gallery or a file block shows by name, e.g. `board.png`. */
  readonly files?: readonly ReplyFile[];
  /** `private`: only the person who asked sees it. Default `public`. */
  readonly visibility?: Visibility;
}

export type Visibility = "public" | "private";

/** Discord's limit for alt text, in characters. */
export const ALT_TEXT_LIMIT = 1_024;

export interface ReplyFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** What it shows, in words: the alt text, at most {@link ALT_TEXT_LIMIT}. */
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
  /** Markdown. Mentions in it never ping. User text goes through `escapeMarkdown`. */
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
  /** Name of one of the reply's files. */
  readonly file: string;
  readonly description: string;
  readonly spoiler?: boolean;
}

/** One to ten pictures or videos. */
export interface GalleryBlock {
  readonly type: "gallery";
  readonly items: readonly (
    | {
        /** Name of one of the reply's files; its description is the alt text. */
        readonly file: string;
        readonly spoiler?: boolean;
      }
    /** What stands elsewhere already, e.g. a video that somebody attached to another message. */
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

/** A menu of up to 25 choices. The chosen values reach the action beside its args. */
export interface SelectBlock {
  readonly type: "select";
  readonly target: ComponentTarget;
  readonly placeholder: string;
  readonly choices: readonly SelectChoice[];
  /** How many may be chosen. Default 1 to 1. */
  readonly min?: number;
  readonly max?: number;
}

export interface SelectChoice {
  readonly label: string;
  readonly value: string;
  readonly description?: string;
  readonly chosen?: boolean;
}

/** A form that opens over the client. Must be the first answer to an interaction. */
export interface Modal {
  readonly type: "modal";
  readonly target: ComponentTarget;
  /** At most 45 characters. */
  readonly title: string;
  /** One to five. */
  readonly fields: readonly ModalField[];
  /** What is typed is not kept, not even to be put right. */
  readonly isSecret?: boolean;
}

/** Takes away the message that a component stands on, in place of an answer. */
export interface Removal {
  readonly type: "removal";
}

export type ModalField = TextField | ChoiceField | UploadField;

interface FieldBase {
  /** Key under which the answer reaches the action. */
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

export interface UploadField extends FieldBase {
  readonly type: "upload";
  readonly max?: number;
}

/** Makes text that a person or a service wrote show as it is, without formatting, links, mentions or other names. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(DIRECTION_CONTROLS, "")
    .replace(/[\\*_~`|>#\-[\]()<@:]/g, "\\$&")
    .replace(SERVICE_SPACE, "\u00A0");
}

/** Characters that turn the direction of writing, of what stands behind the text as well: a name could rewrite its line. */
export const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** `words` are Markdown. In the address, brackets are encoded: they would end the link, or be part of another. */
export function markdownLink(words: string, address: string): string {
  return `[${words}](${address.replace(/[()<>]/g, percentEncode)})`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** In our own sentences "the video service" becomes what the operator calls it; with a no-break space it stays. */
const SERVICE_SPACE = /(?<=\bthe (?:style|video|train data)) (?=service\b)/gi;

/** The colour of the frame around what the bot says: the amber of a board's lamps. */
export const ACCENT = 0xffb52e;
/** The same where all is well. */
export const SUCCESS_ACCENT = 0x2fa36b;

/** Buttons in a row; those that are `undefined` or false are left out. */
export type Row = readonly (Button | undefined | false)[];

/**
 * What a reply is made of: texts, pictures, rows of buttons and other blocks, from top to bottom. A file is a picture, which
 * is shown where it stands. What is `undefined` or false, an empty text or a row without buttons is left out.
 */
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

/** A button that leads to an action. */
export function buttonTo(
  label: string,
  target: ComponentTarget,
  look: Pick<ActionButton, "emoji" | "style" | "disabled"> = {},
): ActionButton {
  return { type: "button", label, ...look, target };
}

/** A menu; none without choices. */
export function menu(
  target: ComponentTarget,
  placeholder: string,
  choices: readonly SelectChoice[],
): SelectBlock | undefined {
  return choices.length === 0 ? undefined : { type: "select", target, placeholder, choices };
}

/** A reply in the frame that the bot's replies have. */
export function card(parts: readonly Part[], accent = ACCENT): Reply {
  return { blocks: [{ type: "container", accent, blocks: blocksOf(parts) }], ...filesOf(parts) };
}

/** The same, for the person who asked alone. */
export function privateCard(parts: readonly Part[]): Reply {
  return { ...card(parts), visibility: "private" };
}

/** A reply without a frame. */
export function plainReply(parts: readonly Part[], visibility: Visibility = "public"): Reply {
  return { blocks: blocksOf(parts), visibility, ...filesOf(parts) };
}

/** A reply of one text, with buttons below it where there are any. */
export function textReply(text: string, visibility?: Visibility, buttons: readonly Button[] = []): Reply {
  return plainReply([text, buttons], visibility);
}
