// The content of the composer: a message or a command, shared by all channels. Other parts of the page, e.g. the greeting, put
// commands here.
import { computed, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { addOption, beginDraft, setValue, type Draft } from "../command/draft.ts";
import type { Directory } from "../command/offers.ts";
import { slashRunnables } from "../command/runnables.ts";
import { openedGuild, openedChannel, commands, scene } from "../state/scene.ts";
import { showToast } from "../state/toast.ts";

/** The command that is being filled in; `undefined` while a message is being written. */
export const draft = signal<Draft | undefined>(undefined);

export const text = signal("");

export const files = signal<readonly File[]>([]);

export const replyTo = signal<string | undefined>(undefined);

/** Why the last attempt to send failed; empty if it did not. */
export const problem = signal("");

/** An option's name, `MORE` or `TEXT`. `count` distinguishes two requests for the same field. */
const requestedFocus = signal<{ readonly place: string; readonly count: number }>({
  place: "",
  count: 0,
});

/** The field after the last option, which adds more. The space keeps it apart from options' names. */
export const MORE = " more";

/** Discord's limit for a plain message. */
export const MAX_CHARACTERS = 2000;

/** The field of a plain message. */
export const TEXT = " text";

export function focusPlace(place: string): void {
  requestedFocus.value = { place, count: requestedFocus.value.count + 1 };
}

export const runnables = computed(() => slashRunnables(commands.value));

export const directory = computed<Directory>(() => {
  const all = scene.value?.people ?? [];
  const guild = openedGuild.value;
  const here = openedChannel.value?.recipientIds ?? [];
  const isHere = (id: string) =>
    guild === undefined
      ? here.includes(id) || id === scene.value?.me.id
      : guild.members.some(({ userId }) => userId === id);
  return {
    people: all.filter(({ id }) => isHere(id)),
    roles: guild?.roles ?? [],
    channels: guild?.channels ?? [],
  };
});

/** Puts a command with these values into the composer, or shows a toast if the open channel does not offer it. */
export function startCommand(name: string, values: Readonly<Record<string, string | File>> = {}): void {
  const runnable = runnables.value.find((one) => one.name === name);
  if (runnable === undefined) {
    showToast(`You can't use /${name} here.`, "danger");
    return;
  }
  const filled = Object.entries(values).reduce((all, [optionName, value]) => {
    const option = runnable.options.find((one) => one.name === optionName);
    return option === undefined
      ? all
      : setValue(
          addOption(all, option),
          optionName,
          typeof value === "string" ? { text: value } : { file: value, text: value.name },
        );
  }, beginDraft(runnable));
  problem.value = "";
  draft.value = filled;
  focusPlace(firstEmpty(filled) ?? MORE);
}

function firstEmpty({ values }: Draft): string | undefined {
  return values.find((value) => value.text === "" && value.file === undefined)?.option.name;
}

/** Returns to a plain message with this text. */
export function leaveCommand(leftText = ""): void {
  draft.value = undefined;
  problem.value = "";
  text.value = leftText;
  focusPlace(TEXT);
}

/** The `count` of the last request that was fulfilled; a field that is mounted later must not fulfil it again. */
let handledCount = 0;

/** Focuses a field when it is requested. A layout effect does so before the next key press, so no fast typing is lost. */
export function useRequestedFocus(place: string, node: RefObject<HTMLElement>): void {
  const wanted = requestedFocus.value;
  useLayoutEffect(() => {
    if (wanted.place === place && wanted.count > handledCount) {
      handledCount = wanted.count;
      node.current?.focus({ preventScroll: true });
    }
  }, [wanted, place, node]);
}
