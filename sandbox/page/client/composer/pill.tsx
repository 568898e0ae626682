// One option of a command: its name and a field for its value.
import { useRef, useState } from "preact/hooks";
import {
  nextRequired,
  removeOption,
  setValue,
  typeInto,
  type Draft,
  type DraftValue,
} from "../command/draft.ts";
import { problemOf } from "../command/read-draft.ts";
import { OPTION_TYPES } from "../../../discord/option-types.ts";
import { IconButton } from "../kit/icon-button.tsx";
import {
  directory,
  draft as draftSignal,
  focusPlace,
  MORE,
  problem,
  useRequestedFocus,
} from "./draft-state.ts";
import { uploadLimitBytes } from "./files.ts";
import { OfferBox, useOffers } from "./offers.tsx";
import { sendCommand } from "./send.ts";
import { useOptionOffers } from "./use-option-offers.tsx";

interface PillProps {
  readonly draft: Draft;
  readonly value: DraftValue;
  readonly onBack: () => void;
}

export function Pill({ draft, value, onBack }: PillProps) {
  const { option, text } = value;
  const input = useRef<HTMLInputElement>(null);
  const [hasFocus, setFocus] = useState(false);
  const { offered, note, isStale = false } = useOptionOffers(draft, value, hasFocus);
  const offers = useOffers(
    `offers-${option.name}`,
    `${text} ${isStale ? "stale" : offered.map((one) => one.option.key).join(" ")}`,
    offered,
    isStale,
  );
  useRequestedFocus(option.name, input);
  const isFile = option.type === OPTION_TYPES.attachment;
  const valueProblem = hasFocus ? undefined : problemOf(value, directory.value, uploadLimitBytes());
  const goToNext = () => {
    const next = nextRequired(draft, option.name);
    if (next === undefined) {
      void sendCommand(draft);
    } else {
      focusPlace(next);
    }
  };
  const write = (typed: string) => {
    problem.value = "";
    const { draft: next, goTo } = typeInto(draft, option.name, typed);
    draftSignal.value = next;
    if (goTo !== undefined) {
      focusPlace(goTo);
    }
  };
  const clear = () => {
    draftSignal.value =
      option.required === true
        ? setValue(draft, option.name, { text: "", pick: undefined, file: undefined })
        : removeOption(draft, option.name);
  };
  return (
    <span class={`pill card row ${valueProblem === undefined ? "" : "wrong"}`} title={valueProblem}>
      {hasFocus && (
        <OfferBox
          offers={offers}
          label={option.name}
          head={
            <>
              <strong>{option.name}</strong> {option.description}
              {option.required === true && <span class="alarm"> required</span>}
            </>
          }
          note={note}
        />
      )}
      <label class="row rest">
        <span class="pill-name">
          {option.name}
          {option.required === true && (
            <span class="alarm" aria-hidden="true">
              *
            </span>
          )}
        </span>
        <input
          ref={input}
          {...offers.input}
          role="combobox"
          inputMode={option.type === OPTION_TYPES.integer ? "numeric" : undefined}
          aria-required={option.required === true}
          aria-invalid={valueProblem !== undefined}
          aria-expanded={offers.isOpen}
          aria-description={option.description}
          placeholder={isFile ? "choose a file" : ""}
          readOnly={isFile}
          enterkeyhint="next"
          value={text}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          onClick={offers.reopen}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (offers.handleKey(event)) {
              return;
            }
            if (event.key === "Enter" && !event.isComposing) {
              event.preventDefault();
              goToNext();
            } else if (event.key === "Backspace" && (text === "" || isFile)) {
              event.preventDefault();
              const wasEmpty = text === "";
              clear();
              if (wasEmpty || option.required !== true) {
                onBack();
              }
            }
          }}
        />
      </label>
      {(option.required !== true || text !== "") && (
        <IconButton
          icon="close"
          label={`Remove ${option.name}`}
          onClick={() => {
            clear();
            focusPlace(option.required === true ? option.name : MORE);
          }}
        />
      )}
    </span>
  );
}
