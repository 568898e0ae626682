// The composer while a command is being filled in: its name, a pill for each option, and a field that adds more.
import { addOption, type Draft, optionsLeft } from "../command/draft.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { draft as draftSignal, focusPlace, leaveCommand, MORE, useRequestedFocus } from "./draft-state.ts";
import { Pill } from "./pill.tsx";
import { sendCommand } from "./send.ts";
import { useRef, useState } from "preact/hooks";
import type { CommandOption } from "../../../control/chat/api.ts";
import { offerOptions } from "../command/offers.ts";
import { OfferBox, useOffers } from "./offers.tsx";

export function CommandBox({ draft }: { readonly draft: Draft }) {
  const { runnable, values } = draft;
  const before = (index: number) => {
    const previous = values[index - 1];
    if (previous === undefined) {
      leaveCommand(`/${runnable.name}`);
    } else {
      focusPlace(previous.option.name);
    }
  };
  return (
    <form
      class="composer-line row"
      aria-label={`/${runnable.name}: ${runnable.description}`}
      onSubmit={(event) => {
        event.preventDefault();
        void sendCommand(draft);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          leaveCommand();
        }
      }}
    >
      <IconButton icon="close" label="Leave the command" onClick={() => leaveCommand()} />
      <div class="pills row rest">
        <strong class="mention">/{runnable.name}</strong>
        {values.map((value, index) => (
          <Pill key={value.option.name} draft={draft} value={value} onBack={() => before(index)} />
        ))}
        <MoreOptions
          key="more"
          options={optionsLeft(draft)}
          onAdd={(option) => {
            draftSignal.value = addOption(draft, option);
            focusPlace(option.name);
          }}
          onBack={() => before(values.length)}
          onSend={() => void sendCommand(draft)}
        />
      </div>
      <button type="submit" class="icon-button send primary" aria-label="Run command" title="Run command">
        <Icon name="send" />
      </button>
    </form>
  );
}

interface MoreOptionsProps {
  readonly options: readonly CommandOption[];
  readonly onAdd: (option: CommandOption) => void;
  readonly onBack: () => void;
  readonly onSend: () => void;
}

/** The field after the last pill. It adds an option by its name; Enter sends the command if nothing is typed. */
function MoreOptions({ options, onAdd, onBack, onSend }: MoreOptionsProps) {
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
  useRequestedFocus(MORE, input);
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
          if (offers.handleKey(event)) {
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
