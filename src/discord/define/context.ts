// What every handler of a command is given, and what it may answer with.
import type { ComponentTarget } from "../../core/component-id.ts";
import type { Modal, Removal, Reply } from "../../core/reply.ts";

/** What commands may ask for in `needs`. The program that composes the features adds each of them here. */
// oxlint-disable-next-line typescript/no-empty-interface -- filled where the features are known
export interface Services {}

export interface Caller {
  readonly id: string;
  readonly name: string;
  /** Ids of their roles in the server where they asked; none in DMs. */
  readonly roles: readonly string[];
  /** Discord's language of their client, e.g. `en-GB`. */
  readonly locale: string;
}

export interface Where {
  /** `undefined` in DMs. */
  readonly guildId: string | undefined;
  readonly channelId: string | undefined;
}

/**
 * Reports how far long work has come, with a button that stops it where `cancel` is given. Shown at most every 2 s, under
 * what a component's message shows already.
 */
export type Progress = (state: string | { readonly text: string; readonly cancel: ComponentTarget }) => void;

export interface Context<N extends keyof Services> {
  readonly services: Pick<Services, N>;
  readonly caller: Caller;
  readonly where: Where;
  /** How large a file may be that is sent there. */
  readonly fileLimitBytes: number;
  readonly progress: Progress;
  /** Names of the commands that the caller may use where they are, by the server's own rules too. */
  readonly usableCommands: () => Promise<ReadonlySet<string>>;
}

/** What a handler answers with. A modal must come within 1.5 s and before any `progress`. */
export type Answer = Reply | Modal | Removal;

// Messages and their files, as far as handlers need them.

/** A file that a message shows. The link is signed and dies: take the bytes at once. */
export interface Media {
  readonly name: string;
  readonly url: string;
  /** 0 where Discord does not say. */
  readonly sizeBytes: number;
  /** Guessed by Discord from the name. */
  readonly contentType: string | undefined;
  readonly spoiler: boolean;
  /** What it shows, in the words of its sender. */
  readonly description: string | undefined;
}

export interface Attachment extends Media {
  readonly id: string;
}

/** A message that a menu or a component stands on, or that somebody sent. */
export interface MessageReference {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  /** All that it shows: attachments, pictures of embeds and of components, what it forwards. None stands there twice. */
  readonly media: readonly Media[];
}
