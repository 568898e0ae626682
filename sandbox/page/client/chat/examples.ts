// Commands for a newcomer to try. Only those that the open channel offers are shown.
import { computed, signal } from "@preact/signals";
import { runnables, startCommand } from "../composer/draft-state.ts";
import { fetchSample, type SampleKind } from "../composer/samples.ts";
import type { IconName } from "../kit/icon.tsx";
import { messages } from "../state/messages.ts";

export interface Example {
  readonly title: string;
  readonly description: string;
  readonly icon: IconName;
  readonly command: string;
  readonly values: Readonly<Record<string, string>>;
  readonly file?: { readonly option: string; readonly kind: SampleKind };
}

const ALL: readonly Example[] = [
  {
    title: "Ask for trains",
    description: "See what leaves York next",
    icon: "train",
    command: "departures",
    values: { station: "York" },
  },
  {
    title: "Restyle a picture",
    description: "A sample is attached. Just pick a style",
    icon: "picture",
    command: "style",
    values: {},
    file: { option: "image", kind: "picture" },
  },
  {
    title: "Add a board to this channel",
    description: "The bot keeps it up to date",
    icon: "board",
    command: "board subscribe",
    values: { station: "Leeds" },
  },
  {
    title: "Publish a video",
    description: "Post a short film to the server's Page",
    icon: "film",
    command: "video publish",
    values: { title: "A night train" },
    file: { option: "file", kind: "film" },
  },
];

/** Reads signals. */
export const examples = computed(() =>
  ALL.filter(({ command }) => runnables.value.some(({ name }) => name === command)),
);

/** The commands of the examples that were started. */
const begun = signal<ReadonlySet<string>>(new Set());

/** The commands of started examples that have an answer in the open channel. */
export const doneExamples = computed<ReadonlySet<string>>(() => {
  const used = new Set(messages.value.map((message) => message.used?.command));
  return new Set([...begun.value].filter((command) => used.has(`/${command}`)));
});

export async function startExample({ command, values, file }: Example): Promise<void> {
  begun.value = new Set([...begun.value, command]);
  startCommand(
    command,
    file === undefined ? values : { [file.option]: await fetchSample(file.kind), ...values },
  );
}
