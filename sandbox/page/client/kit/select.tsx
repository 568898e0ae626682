// A menu to choose one or several from: a button that shows what is chosen, and a list that opens under it.
import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import type { ListOption } from "./option-list.tsx";
import { Popover } from "./popover.tsx";
import { spotOf } from "./spot-of.ts";
import { SelectList } from "./select-list.tsx";

export interface SelectProps {
  readonly class?: string;
  /** Of the button, for a label elsewhere. */
  readonly id?: string;
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly ListOption[];
  /** Keys of options. */
  readonly chosen: readonly string[];
  readonly least: number;
  readonly most: number;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  readonly isInvalid?: boolean;
  readonly describedBy?: string | undefined;
  /** One that is chosen, or several when the list is closed and they differ from before. */
  readonly onSettle: (chosen: readonly string[]) => void;
}

export function Select(props: SelectProps) {
  const { label, placeholder, options, chosen, least, most, onSettle } = props;
  const { isDisabled = false, isBusy = false, isInvalid = false } = props;
  const button = useRef<HTMLButtonElement>(null);
  const own = useId();
  const id = props.id ?? own;
  const [draft, setDraft] = useState<readonly string[] | undefined>(undefined);
  const isOpen = draft !== undefined;
  const isMultiple = most > 1;
  const shown = options.filter(({ key }) => (draft ?? chosen).includes(key));
  const close = (next: readonly string[] | undefined) => {
    setDraft(undefined);
    button.current?.focus({ preventScroll: true });
    const isNew =
      next !== undefined && (next.length !== chosen.length || next.some((key) => !chosen.includes(key)));
    if (isNew) {
      onSettle(next);
    }
  };
  const choose = (key: string) => {
    if (!isMultiple) {
      const isTakenBack = least === 0 && chosen.includes(key);
      close(isTakenBack ? [] : [key]);
    } else if (draft !== undefined) {
      const without = draft.filter((one) => one !== key);
      const isFull = draft.length >= most && without.length === draft.length;
      setDraft(isFull ? draft : without.length === draft.length ? [...draft, key] : without);
    }
  };
  const open = () => {
    if (!isBusy && !isDisabled && !isOpen) {
      setDraft(chosen);
    }
  };
  return (
    <div class={`select-field ${props.class ?? ""}`}>
      <button
        ref={button}
        id={id}
        type="button"
        class={`select-button ${isBusy ? "busy" : ""}`}
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-busy={isBusy}
        aria-invalid={isInvalid}
        aria-describedby={props.describedBy}
        disabled={isDisabled}
        onClick={() => (isOpen ? close(draft) : open())}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            open();
          }
        }}
      >
        {shown.length === 0 ? (
          <span class="select-placeholder soft">{placeholder}</span>
        ) : (
          <span class="select-shown">
            {shown.map(({ key, label: name, lead }) => (
              <span key={key} class={isMultiple ? "select-tag" : "select-one"}>
                {lead}
                {name}
              </span>
            ))}
          </span>
        )}
        <Icon name="down" />
      </button>
      {isOpen && (
        <Popover
          class="select-popover"
          isWide
          spot={() => (button.current === null ? spotOf({ clientX: 0, clientY: 0 }) : spotOf(button.current))}
          onClose={() => close(isMultiple && (draft?.length ?? 0) >= least ? draft : undefined)}
        >
          <SelectList
            id={`${id}-list`}
            label={label}
            options={options}
            chosen={draft ?? []}
            isMultiple={isMultiple}
            note={isMultiple ? boundsWords(least, most) : undefined}
            onChoose={choose}
            onDone={() => close(draft)}
          />
        </Popover>
      )}
    </div>
  );
}

function boundsWords(least: number, most: number): string {
  return least === most ? `Choose ${most}` : least === 0 ? `Up to ${most}` : `${least} to ${most}`;
}
