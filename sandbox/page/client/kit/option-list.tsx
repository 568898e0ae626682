// A listbox. Its owner keeps the focus and handles the keys: arrows move the active option, and Enter chooses it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

export interface ListOption {
  readonly key: string;
  readonly label: string;
  readonly detail?: string | undefined;
  readonly lead?: ComponentChildren;
  readonly isChosen?: boolean;
}

interface OptionListProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly ListOption[];
  /** -1 if no option is active. */
  readonly active: number;
  readonly isMultiple?: boolean;
  readonly onActivate: (index: number) => void;
  readonly onChoose: (index: number) => void;
}

/** The id of an option. The owner puts the active option's into `aria-activedescendant`, and the list's into `aria-controls`. */
export const optionId = (listId: string, index: number) => `${listId}-${index}`;

export function OptionList(props: OptionListProps) {
  const { id, label, options, active, isMultiple = false, onActivate, onChoose } = props;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <ul
      ref={list}
      id={id}
      class="options"
      role="listbox"
      aria-label={label}
      aria-multiselectable={isMultiple ? "true" : undefined}
    >
      {options.map((option, index) => (
        <li
          key={option.key}
          id={optionId(id, index)}
          role="option"
          class={index === active ? "row active" : "row"}
          aria-selected={isMultiple ? option.isChosen === true : index === active}
          onPointerMove={() => index === active || onActivate(index)}
          // A press on an option would otherwise take the focus from the owner.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          {option.lead}
          <span class="stack rest">
            {option.label}
            {option.detail !== undefined && option.detail !== "" && (
              <span class="subtext">{option.detail}</span>
            )}
          </span>
          {option.isChosen === true && <Icon name="check" />}
        </li>
      ))}
    </ul>
  );
}

/** The index to which an arrow key, Home or End moves in a list; `undefined` for other keys and an empty list. */
export function stepOf(key: string, active: number, count: number): number | undefined {
  if (count === 0) {
    return undefined;
  }
  switch (key) {
    case "ArrowDown":
      return (active + 1) % count;
    case "ArrowUp":
      return active <= 0 ? count - 1 : active - 1;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
