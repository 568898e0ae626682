// The values offered for the option that is being filled in: choices, people, roles, channels, the bot's suggestions, files.
import { useEffect, useState } from "preact/hooks";
import { sendAction } from "../api/request.ts";
import {
  isPicked,
  nextRequired,
  setValue,
  type Draft,
  type DraftValue,
  type Choice,
} from "../command/draft.ts";
import { offersFor } from "../command/offers.ts";
import { extensionsOf, isFileWanted } from "../../../discord/file-extensions.ts";
import { fileProblem, readTyped } from "../command/read-draft.ts";
import { OPTION_TYPES } from "../../../discord/option-types.ts";
import { Icon } from "../kit/icon.tsx";
import { channelId, memberName } from "../state/session.ts";
import { reportFailure } from "../state/toast.ts";
import { directory, draft as draftSignal, focusPlace, MORE, problem } from "./draft-state.ts";
import { chooseFiles, uploadLimitBytes } from "./files.ts";
import type { Offered } from "./offers.tsx";
import { fetchSample, SAMPLES } from "./samples.ts";

/** The state of an autocomplete request; `choices` are the bot's answer to `text`. */
type Completion = { readonly text: string; readonly choices: readonly Choice[] } | "asking" | "failed";

/**
 * `note` is shown if there is nothing to choose. `isStale` means that the choices answer an earlier text, so Enter must not
 * choose one of them for the current text.
 */
export function useOptionOffers(
  draft: Draft,
  value: DraftValue,
  hasFocus: boolean,
): { readonly offered: readonly Offered[]; readonly note?: string | undefined; readonly isStale?: boolean } {
  const { option, text, pick } = value;
  const hasCompletion = option.autocomplete === true;
  const completion = useCompletion(draft, value, hasCompletion && hasFocus);
  if (!hasFocus) {
    return { offered: [] };
  }
  if (option.type === OPTION_TYPES.attachment) {
    return { offered: fileOffers(draft, value) };
  }
  if (hasCompletion) {
    if (typeof completion === "string") {
      return { offered: [], note: completion === "failed" ? "Loading options failed." : "Loading options…" };
    }
    const { choices } = completion;
    const hasNoMatch = choices.length === 0 && text !== "";
    return {
      offered: isPicked(value) ? [] : choices.map((one) => pickOffer(draft, value, one)),
      note: hasNoMatch ? "No suggestions. Your text will be sent as you typed it." : undefined,
      isStale: completion.text !== text,
    };
  }
  const known = offersFor(option, pick === undefined ? text : "", directory.value);
  return {
    offered: (known ?? []).map((one) => pickOffer(draft, value, one)),
    note: known?.length === 0 ? `Nothing here is called “${text}”.` : undefined,
  };
}

/** How long typing must pause before the bot is asked, in milliseconds. Discord does not document its client's value. */
const PAUSE_MS = 150;

/** Sends an autocomplete request after each pause in typing, and ignores answers to earlier text. */
function useCompletion(draft: Draft, value: DraftValue, isOn: boolean): Completion {
  const [completion, setCompletion] = useState<Completion>("asking");
  const { text } = value;
  const { name } = value.option;
  useEffect(() => {
    if (!isOn || isPicked(value)) {
      return undefined;
    }
    let isLate = false;
    const settle = (answer: Completion) => {
      if (!isLate) {
        setCompletion(answer);
      }
    };
    setCompletion((before) => (typeof before === "object" && before.choices.length > 0 ? before : "asking"));
    const timer = setTimeout(() => {
      sendAction(
        { member: memberName.value, channel: channelId.value },
        {
          do: "complete",
          command: draft.runnable.name,
          options: { ...readTyped(draft, directory.value), [name]: text },
          focused: name,
        },
      ).then(
        ({ choices = [] }) => settle({ text, choices }),
        () => settle("failed"),
      );
    }, PAUSE_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
    // A change to another option sends no new request.
  }, [isOn, name, text]);
  return completion;
}

/** Choosing it moves the focus to the next required option. */
function pickOffer(draft: Draft, { option }: DraftValue, offer: Choice): Offered {
  const { name, value } = offer;
  return {
    option: { key: String(value), label: name },
    take() {
      problem.value = "";
      draftSignal.value = setValue(draft, option.name, { text: name, pick: { name, value } });
      focusPlace(nextRequired(draft, option.name) ?? MORE);
    },
  };
}

/** Offers to choose a file, and the samples that the option accepts. */
function fileOffers(draft: Draft, { option }: DraftValue): Offered[] {
  const wanted = option["file_types"];
  const take = (file: File | undefined) => {
    if (file !== undefined) {
      draftSignal.value = setValue(draft, option.name, { file, text: file.name });
      problem.value = fileProblem(file, wanted, uploadLimitBytes()) ?? "";
      focusPlace(nextRequired(draft, option.name) ?? MORE);
    }
  };
  const allowed = (["picture", "film"] as const).filter((kind) => isFileWanted(SAMPLES[kind].name, wanted));
  return [
    {
      option: {
        key: "own",
        label: "Choose a file…",
        detail: "or drop it here, or paste it",
        lead: <Icon name="plus" />,
      },
      take: () =>
        void chooseFiles({ isMultiple: false, extensions: extensionsOf(wanted) }).then(([file]) =>
          take(file),
        ),
    },
    ...allowed.map((kind) => ({
      option: {
        key: kind,
        label: SAMPLES[kind].name,
        detail: SAMPLES[kind].description,
        lead: <Icon name={kind} />,
      },
      take: () => void reportFailure(fetchSample(kind).then(take)),
    })),
  ];
}
