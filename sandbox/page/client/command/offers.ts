// What can be offered for an option, beside what the bot itself offers. Pure.
import type { CommandOption } from "../../../control/chat/api.ts";
import type { Pick } from "./draft.ts";
import { OPTION_TYPES } from "../../../discord/option-types.ts";
import type { Runnable } from "./runnables.ts";

/** What may be named in a channel. */
export interface Around {
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly channels: readonly { readonly id: string; readonly name: string; readonly kind: number }[];
}

export interface Offer extends Pick {
  readonly detail: string;
  /** What is offered, for its picture. */
  readonly kind: "plain" | "person" | "role" | "channel";
}

/** As Discord shows at most. */
const MOST = 25;

/** `undefined` where there is nothing to choose from: the value is free, or the bot offers. */
export function offersFor(option: CommandOption, typed: string, around: Around): Offer[] | undefined {
  const all = allOffers(option, around);
  return all === undefined ? undefined : fitting(all, typed).slice(0, MOST);
}

/** The only thing that a text can mean, e.g. a choice's name typed by hand. */
export function offerNamed(option: CommandOption, text: string, around: Around): Offer | undefined {
  const wanted = text.trim().toLowerCase().replace(/^[@#]/, "");
  return allOffers(option, around)?.find(({ name }) => name.toLowerCase() === wanted);
}

function allOffers(option: CommandOption, { people, roles, channels }: Around): Offer[] | undefined {
  const persons = () => people.map(({ id, name }) => offer("person", name, id));
  const allRoles = () => roles.map(({ id, name }) => offer("role", name, id));
  switch (option.type) {
    case OPTION_TYPES.boolean:
      return [offer("plain", "True", true), offer("plain", "False", false)];
    case OPTION_TYPES.user:
      return persons();
    case OPTION_TYPES.role:
      return allRoles();
    case OPTION_TYPES.mentionable:
      return [...persons(), ...allRoles()];
    case OPTION_TYPES.channel: {
      const kinds: readonly unknown[] = Array.isArray(option["channel_types"]) ? option["channel_types"] : [];
      return channels
        .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
        .map(({ id, name }) => offer("channel", name, id));
    }
    default:
      return option.choices === undefined || option.choices.length === 0
        ? undefined
        : option.choices.map(({ name, value }) => offer("plain", name, value));
  }
}

function offer(kind: Offer["kind"], name: string, value: Offer["value"]): Offer {
  return { kind, name, value, detail: "" };
}

/** Those whose name begins so first, then those that contain it. */
function fitting<T extends { readonly name: string }>(all: readonly T[], typed: string): T[] {
  const wanted = typed.trim().toLowerCase().replace(/^[@#]/, "");
  const rank = ({ name }: T) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return all.filter(({ name }) => name.toLowerCase().includes(wanted)).toSorted((a, b) => rank(a) - rank(b));
}

/** Commands whose name fits what stands after the slash, those that begin so first. */
export function offerCommands(typed: string, runnables: readonly Runnable[]): Runnable[] {
  return fitting(
    runnables.toSorted((a, b) => a.name.localeCompare(b.name)),
    typed,
  );
}

/** Options whose name begins so. */
export function offerOptions(typed: string, options: readonly CommandOption[]): CommandOption[] {
  const wanted = typed.trim().toLowerCase();
  return options.filter(({ name }) => name.startsWith(wanted));
}
