// What the bot can do here, read from the commands themselves.

/** One command as a person sees it. */
export interface CommandSummary {
  /** With subcommands: `board subscribe`. Menus: their label. */
  readonly name: string;
  readonly kind: "slash" | "message-menu";
  readonly description: string;
  /** In the order of the definition. */
  readonly options: readonly OptionSummary[];
  /** Who may use it unless a server decides otherwise; `undefined` is everyone. */
  readonly permission: string | undefined;
  /** Discord's id, once the command is registered there: makes a clickable mention. */
  readonly id: string | undefined;
}

export interface OptionSummary {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** Every registered command; those whose needs are not configured are not in it. */
export interface CommandDirectory {
  /** The same list as long as nothing in it changes. */
  list(): readonly CommandSummary[];
}
