// The values that the page can offer for an option: choices, people, roles and channels. Pure.
import type { CommandOption } from "../../../control/chat/api.ts";
import type { Choice } from "./draft.ts";
import { OPTION_TYPES } from "../../../discord/option-types.ts";
import type { Runnable } from "./runnables.ts";

/** The people, roles and channels that can be mentioned in a channel. */
export interface Directory {
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly channels: readonly { readonly id: string; readonly name: string; readonly kind: number }[];
}

/** As many as Discord's client shows. */
const MAX_OFFERED = 25;

/** `undefined` if the page has no list for the option: its value is free text, or the bot completes it. */
export function offersFor(option: CommandOption, typed: string, directory: Directory): Choice[] | undefined {
  const all = allOffers(option, directory);
  return all === undefined ? undefined : matching(all, typed).slice(0, MAX_OFFERED);
}

/** The value whose full name was typed, in any case, e.g. a choice's; `undefined` if there is none. */
export function offerNamed(option: CommandOption, text: string, directory: Directory): Choice | undefined {
  const wanted = text.trim().toLowerCase().replace(/^[@#]/, "");
  return allOffers(option, directory)?.find(({ name }) => name.toLowerCase() === wanted);
}

function allOffers(option: CommandOption, directory: Directory): Choice[] | undefined {
  switch (option.type) {
    case OPTION_TYPES.boolean:
      return [
        { name: "True", value: true },
        { name: "False", value: false },
      ];
    case OPTION_TYPES.user:
      return offerNames("user", directory);
    case OPTION_TYPES.role:
      return offerNames("role", directory);
    case OPTION_TYPES.mentionable:
      return offerNames("mentionable", directory);
    case OPTION_TYPES.channel:
      return offerNames("channel", directory, option["channel_types"]);
    default:
      return option.choices === undefined || option.choices.length === 0
        ? undefined
        : option.choices.map(({ name, value }) => ({ name, value }));
  }
}

/** People, roles or channels, with their id as the value. `channelTypes` limits the channels, unless it is empty. */
export function offerNames(
  what: "user" | "role" | "mentionable" | "channel",
  { people, roles, channels }: Directory,
  channelTypes: unknown = [],
): Choice[] {
  const kinds: readonly unknown[] = Array.isArray(channelTypes) ? channelTypes : [];
  const fits = ({ kind }: Directory["channels"][number]) => kinds.length === 0 || kinds.includes(kind);
  const isAny = what === "mentionable";
  return [
    ...(isAny || what === "user" ? people : []),
    ...(isAny || what === "role" ? roles : []),
    ...(what === "channel" ? channels.filter(fits) : []),
  ].map(({ id, name }) => ({ name, value: id }));
}

/** Entries whose name contains the text. Those that begin with it come first. */
function matching<T extends { readonly name: string }>(all: readonly T[], typed: string): T[] {
  const wanted = typed.trim().toLowerCase().replace(/^[@#]/, "");
  const rank = ({ name }: T) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return all.filter(({ name }) => name.toLowerCase().includes(wanted)).toSorted((a, b) => rank(a) - rank(b));
}

/** Commands whose name contains the text after the slash. Those that begin with it come first. */
export function offerCommands(typed: string, runnables: readonly Runnable[]): Runnable[] {
  return matching(
    runnables.toSorted((a, b) => a.name.localeCompare(b.name)),
    typed,
  );
}

export function offerOptions(typed: string, options: readonly CommandOption[]): CommandOption[] {
  const wanted = typed.trim().toLowerCase();
  return options.filter(({ name }) => name.startsWith(wanted));
}
