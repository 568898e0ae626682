// Mentions in a plain message: turns `@Ada` and `#trains` into Discord's form, e.g. `<@1>`. Pure.
import type { Choice } from "./draft.ts";
import { offerNames, type Directory } from "./offers.ts";

export interface TypedMention {
  readonly sign: "@" | "#";
  readonly typed: string;
  /** The index of the sign. */
  readonly start: number;
}

/** `undefined` if no mention is being typed at the caret. */
export function mentionAt(text: string, caret: number): TypedMention | undefined {
  const found = /(?:^|\s)([@#])([\p{L}\p{N}_-]*)$/u.exec(text.slice(0, caret));
  const [, sign, typed = ""] = found ?? [];
  return sign === "@" || sign === "#" ? { sign, typed, start: caret - typed.length - 1 } : undefined;
}

/** As many as Discord's client shows. */
const MAX_OFFERED = 10;

/** The names to offer. A bot's own role has the same name as the bot, so only the bot is offered. */
export function namesFor({ sign, typed }: TypedMention, directory: Directory): Choice[] {
  const wanted = typed.toLowerCase();
  return offerNames(sign === "#" ? "channel" : "mentionable", directory)
    .filter(({ name }) => name.toLowerCase().startsWith(wanted))
    .filter(({ name }, index, all) => all.findIndex((one) => one.name === name) === index)
    .slice(0, MAX_OFFERED);
}

/** Encodes every mention in a text. The longest name wins, so that `@Ada Lovelace` is not read as `@Ada`. */
export function encodeMentions(text: string, { people, roles, channels }: Directory): string {
  const names = [
    ...people.map(({ id, name }) => ({ written: `@${name}`, sent: `<@${id}>` })),
    ...roles.map(({ id, name }) => ({ written: `@${name}`, sent: `<@&${id}>` })),
    ...channels.map(({ id, name }) => ({ written: `#${name}`, sent: `<#${id}>` })),
  ].toSorted((a, b) => b.written.length - a.written.length);
  let sent = "";
  for (let at = 0; at < text.length;) {
    const isStart = at === 0 || !/[\p{L}\p{N}_<]/u.test(text.charAt(at - 1));
    const found = isStart ? names.find(({ written }) => isNameAt(text, at, written)) : undefined;
    sent += found?.sent ?? text.charAt(at);
    at += found?.written.length ?? 1;
  }
  return sent;
}

function isNameAt(text: string, at: number, written: string): boolean {
  const there = text.slice(at, at + written.length);
  return (
    there.toLowerCase() === written.toLowerCase() && !/[\p{L}\p{N}_]/u.test(text.charAt(at + written.length))
  );
}
