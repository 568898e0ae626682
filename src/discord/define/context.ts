import type { ComponentTarget } from "../../core/component-id.ts";
import type { MessageFile } from "../../core/ports.ts";
import type { Modal, Removal, Reply } from "../../core/reply.ts";

/** The services that commands can name in `needs`; the program that composes the features adds them here. */
// oxlint-disable-next-line typescript/no-empty-interface -- filled where the features are known
export interface Services {}

export interface Caller {
  readonly id: string;
  /** Ids of their roles in the server; empty in DMs. */
  readonly roles: readonly string[];
}

export interface Where {
  /** `undefined` in DMs, and in a server that has not installed the bot. */
  readonly guildId: string | undefined;
  readonly channelId: string | undefined;
}

/** Shown at most every 2 s; on a component's message, below its content. `cancel` adds a button that stops the work. */
export type Progress = (state: string | { readonly text: string; readonly cancel: ComponentTarget }) => void;

export interface Context<N extends keyof Services> {
  readonly services: Pick<Services, N>;
  readonly caller: Caller;
  readonly where: Where;
  readonly fileLimitBytes: number;
  readonly progress: Progress;
  /** Names of the commands that the caller may use there, according to the server's own rules too. */
  readonly usableCommands: () => Promise<ReadonlySet<string>>;
}

/** The answer of a handler. A modal must come within 1.5 s and before any `progress`. */
export type Answer = Reply | Modal | Removal;

/** A file that a message shows. The link is signed and expires, so download the file at once. */
export interface Media extends MessageFile {
  readonly spoiler: boolean;
  /** The alt text that its sender wrote. */
  readonly description: string | undefined;
}

/** A message that a menu or a component was used on, or that somebody sent. */
export interface MessageReference {
  readonly id: string;
  readonly channelId: string;
  readonly content: string;
  readonly attachments: readonly Media[];
  /** What it shows, without duplicates: attachments, pictures of embeds and components, also of a forwarded message. */
  readonly media: readonly Media[];
}
