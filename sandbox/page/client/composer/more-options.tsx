// After the last pill: further options by name. Enter with nothing typed sends the command.
import { useRef, useState } from "preact/hooks";
import type { CommandOption } from "../../../control/chat/api.ts";
import { offerOptions } from "../command/offers.ts";
import { MORE, useWantedFocus } from "./draft-state.ts";
import { OfferBox, useOffers } from "./offers.tsx";

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
  const offered = (isAsked || typed !== "" ? offerOptions(typed, options) : []).map((option) => ({
    option: { key: option.name, label: option.name, detail: option.description },
    take() {
      setTyped("");
      onAdd(option);
    },
  }));
  const offers = useOffers("more-options", `${typed} ${isAsked}`, offered);
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
      {offers.isOpen && <OfferBox offers={offers} label="More options" head={<strong>Optional</strong>} />}
      <input
        ref={input}
        class="more-input"
        {...offers.input}
        role="combobox"
        aria-label="Add an option, or press Enter to run"
        aria-expanded={offers.isOpen}
        placeholder={options.length === 0 ? "Enter to run" : `+${options.length} optional · Enter to run`}
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
