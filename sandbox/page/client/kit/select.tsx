// A select menu for one or several options: a button that shows the chosen ones, and a list that the browser opens below it.
// The focus stays on the button, which handles the list's keys.
import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { optionId, OptionList, stepOf, type ListOption } from "./option-list.tsx";

interface SelectProps {
  /** The button's id, for a `<label>` elsewhere. */
  readonly id?: string;
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly ListOption[];
  readonly chosen: readonly string[];
  readonly min: number;
  readonly max: number;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  readonly isInvalid?: boolean;
  readonly describedBy?: string | undefined;
  /** Called if the chosen options have changed: with a single choice at once, with several when the list closes. */
  readonly onSettle: (chosen: readonly string[]) => void;
}

export function Select(props: SelectProps) {
  const { label, placeholder, options, chosen, min, max, onSettle } = props;
  const { isDisabled = false, isBusy = false, isInvalid = false } = props;
  const list = useRef<HTMLDivElement>(null);
  const own = useId();
  const id = props.id ?? own;
  const [draft, setDraft] = useState<readonly string[] | undefined>(undefined);
  const [active, setActive] = useState(0);
  const isOpen = draft !== undefined;
  const isMultiple = max > 1;
  const shown = options.filter(({ key }) => (draft ?? chosen).includes(key));
  const settle = (next: readonly string[]) => {
    if (next.length !== chosen.length || next.some((key) => !chosen.includes(key))) {
      onSettle(next);
    }
  };
  const onToggle = (isOpening: boolean) => {
    if (isOpening) {
      const first = options.findIndex(({ key }) => chosen.includes(key));
      setActive(Math.max(0, first));
    } else if (isMultiple && draft !== undefined && draft.length >= min) {
      settle(draft);
    }
    setDraft(isOpening ? chosen : undefined);
  };
  const choose = (index: number) => {
    const key = options[index]?.key;
    if (key === undefined || draft === undefined) {
      return;
    }
    const isDeselected = draft.includes(key);
    if (!isMultiple) {
      settle(isDeselected && min === 0 ? [] : [key]);
      list.current?.hidePopover();
    } else if (isDeselected || draft.length < max) {
      setDraft(isDeselected ? draft.filter((one) => one !== key) : [...draft, key]);
    }
  };
  return (
    <div class="select">
      <button
        id={id}
        type="button"
        class={`select-button card row ${isBusy ? "busy" : ""}`}
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={isOpen ? optionId(`${id}-list`, active) : undefined}
        aria-busy={isBusy}
        aria-invalid={isInvalid}
        aria-describedby={props.describedBy}
        disabled={isDisabled}
        popovertarget={isBusy ? undefined : `${id}-popover`}
        onKeyDown={(event) => {
          const { key, currentTarget } = event;
          const next = stepOf(key, active, options.length);
          const isChoiceKey = isOpen && (key === "Enter" || key === " ");
          if (next !== undefined && isOpen) {
            setActive(next);
          } else if (isChoiceKey) {
            choose(active);
          } else if (next !== undefined) {
            currentTarget.click();
          } else if (key === "Tab") {
            list.current?.hidePopover();
          }
          if (next !== undefined || isChoiceKey) {
            event.preventDefault();
          }
        }}
      >
        <span class="select-shown row rest">
          {shown.length === 0 && <span class="soft">{placeholder}</span>}
          {shown.map(({ key, label: name, lead }) => (
            <span key={key} class={`row ${isMultiple ? "tag" : ""}`}>
              {lead}
              {name}
            </span>
          ))}
        </span>
        <Icon name="down" />
      </button>
      <div
        ref={list}
        id={`${id}-popover`}
        popover="auto"
        class="popover card select-popover"
        onBeforeToggle={({ newState }) => onToggle(newState === "open")}
      >
        {isOpen && (
          <OptionList
            id={`${id}-list`}
            label={label}
            options={options.map((option) => ({ ...option, isChosen: draft.includes(option.key) }))}
            active={active}
            isMultiple={isMultiple}
            onActivate={setActive}
            onChoose={choose}
          />
        )}
      </div>
    </div>
  );
}
