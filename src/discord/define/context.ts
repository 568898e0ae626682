// What every handler of a command is given, and what it may answer with.
import type { ComponentTarget } from "../../core/component-id.ts";
import type { Modal, Removal, Reply } from "../../core/reply.ts";
import type { Services } from "./services.ts";

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
  readonly usable: () => Promise<ReadonlySet<string>>;
}

/** What a handler answers with. A modal must come within 1.5 s and before any `progress`. */
export type Answer = Reply | Modal | Removal;
