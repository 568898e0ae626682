// What stands in the box: a message or a command, for all channels one. Others put commands there, e.g. the greeting.
import { computed, signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { addOption, beginDraft, setValue, type Draft } from "../command/draft.ts";
import type { Directory } from "../command/offers.ts";
import { slashRunnables } from "../command/runnables.ts";
import { openedGuild, openedChannel, commands, scene } from "../state/scene.ts";
import { showToast } from "../state/toast.ts";

/** The command that is being filled in; `undefined`: a message is being written. */
export const draft = signal<Draft | undefined>(undefined);

export const text = signal("");

export const files = signal<readonly File[]>([]);

/** The message that is being answered. */
export const replyTo = signal<string | undefined>(undefined);

/** Why the last attempt to send was not taken. */
export const problem = signal("");

/** The place of the box that is to get the focus: an option's name, or `MORE` or `TEXT`; counted, to ask twice for one. */
const requestedFocus = signal<{ readonly place: string; readonly count: number }>({
  place: "",
  count: 0,
});

/** The place after the last option. */
export const MORE = " more";

/** Of a plain message. */
export const MAX_CHARACTERS = 2000;

/** The box of a plain message. */
export const TEXT = " text";

export function focusPlace(place: string): void {
  requestedFocus.value = { place, count: requestedFocus.value.count + 1 };
}

export const runnables = computed(() => slashRunnables(commands.value));

/** What can be named in the open channel. */
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

/** Puts a command in the box, as far filled in as is given; tells where it is not offered here. */
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

/** Back to a plain message. */
export function leaveCommand(leftText = ""): void {
  draft.value = undefined;
  problem.value = "";
  text.value = leftText;
  focusPlace(TEXT);
}

/** The last place that was given the focus; one that comes later must not take it again. */
let handledCount = 0;

/** Gives a place the focus when it is asked for: at once, so that nothing that is typed quickly is lost. */
export function useRequestedFocus(place: string, node: RefObject<HTMLElement>): void {
  const wanted = requestedFocus.value;
  useLayoutEffect(() => {
    if (wanted.place === place && wanted.count > handledCount) {
      handledCount = wanted.count;
      node.current?.focus({ preventScroll: true });
    }
  }, [wanted, place, node]);
}
