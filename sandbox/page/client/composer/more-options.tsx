// After the last pill: further options by name. Enter with nothing typed sends the command.
import { useRef, useState } from "preact/hooks";
import type { CommandOption } from "../../../control/chat/api.ts";
import { offerOptions } from "../command/offers.ts";
import { optionId } from "../kit/option-list.tsx";
import { MORE } from "./draft-state.ts";
import { OfferBox } from "./offer-box.tsx";
import { useOffers } from "./use-offers.ts";
import { useWantedFocus } from "./use-wanted-focus.ts";

const LIST = "more-options";

interface MoreOptionsProps {
  /** Those that are not given yet. */
  readonly options: readonly CommandOption[];
  readonly onAdd: (option: CommandOption) => void;
  readonly onBack: () => void;
  readonly onSend: () => void;
}

export function MoreOptions({ options, onAdd, onBack, onSend }: MoreOptionsProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const [isAsked, setAsked] = useState(false);
  const offered = offerOptions(typed, options);
  const add = (index: number) => {
    const option = offered[index];
    if (option !== undefined) {
      setTyped("");
      onAdd(option);
    }
  };
  const offers = useOffers(`${typed} ${isAsked}`, isAsked || typed !== "" ? offered.length : 0, add);
  useWantedFocus(MORE, input);
  const write = (text: string) => {
    const named = options.find(({ name }) => text === `${name}:`);
    setTyped(named === undefined ? text : "");
    if (named !== undefined) {
      onAdd(named);
    }
  };
  return (
    <>
      {offers.isOpen && (
        <OfferBox
          id={LIST}
          label="More options"
          head={<strong>Optional</strong>}
          options={offered.map(({ name, description }) => ({ key: name, label: name, detail: description }))}
          active={offers.active}
          onActivate={offers.setActive}
          onChoose={add}
        />
      )}
      <input
        ref={input}
        class="more-input"
        type="text"
        role="combobox"
        aria-label="Add an option, or press Enter to run"
        aria-autocomplete="list"
        aria-expanded={offers.isOpen}
        aria-controls={offers.isOpen ? LIST : undefined}
        aria-activedescendant={offers.active < 0 ? undefined : optionId(LIST, offers.active)}
        placeholder={options.length === 0 ? "Enter to run" : `+${options.length} optional · Enter to run`}
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="send"
        value={typed}
        onClick={() => setAsked(!isAsked)}
        onBlur={() => setAsked(false)}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (offers.takeKey(event)) {
            return;
          }
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            setAsked(true);
          } else if (event.key === "Enter") {
            event.preventDefault();
            onSend();
          } else if (event.key === "Backspace" && typed === "") {
            event.preventDefault();
            onBack();
          }
        }}
      />
    </>
  );
}
