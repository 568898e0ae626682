// A command being filled in: its name, a pill for each option, and a place to add more.
import { addOption, optionsLeft, type Draft } from "../command/draft.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { draft as draftSignal, focusPlace, leaveCommand } from "./draft-state.ts";
import { MoreOptions } from "./more-options.tsx";
import { Pill } from "./pill.tsx";
import { sendCommand } from "./send.ts";

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
