// The list of a menu: walked by keys, narrowed by typing where it is long.
import { useState } from "preact/hooks";
import { OptionList, optionId, stepOf, type ListOption } from "./option-list.tsx";

/** More than so many, and a place to type a name stands above them. */
const MANY = 8;

interface SelectListProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly ListOption[];
  readonly chosen: readonly string[];
  readonly isMultiple: boolean;
  readonly note?: string | undefined;
  readonly onChoose: (key: string) => void;
  /** Tab: on with what is chosen. */
  readonly onDone: () => void;
}

export function SelectList(props: SelectListProps) {
  const { id, label, options, chosen, isMultiple, note, onChoose, onDone } = props;
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      options.findIndex(({ key }) => chosen.includes(key)),
    ),
  );
  const wanted = typed.toLowerCase();
  const fitting = options.filter((option) => option.label.toLowerCase().includes(wanted));
  const choose = (index: number) => {
    const option = fitting[index];
    if (option !== undefined) {
      onChoose(option.key);
    }
  };
  return (
    <>
      <input
        autofocus
        // Few options need no narrowing: then the place only holds the focus.
        class={options.length > MANY ? "select-filter" : "select-filter hidden"}
        type="text"
        role="combobox"
        aria-label={`${label}: type to filter`}
        aria-autocomplete="list"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={fitting.length === 0 ? undefined : optionId(id, active)}
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={(event) => {
          const next = stepOf(event.key, active, fitting.length);
          if (next !== undefined) {
            event.preventDefault();
            setActive(next);
          } else if (event.key === "Enter" || (event.key === " " && typed === "")) {
            event.preventDefault();
            choose(active);
          } else if (event.key === "Tab") {
            event.preventDefault();
            onDone();
          }
        }}
      />
      <OptionList
        id={id}
        label={label}
        options={fitting.map((option) => ({ ...option, isChosen: chosen.includes(option.key) }))}
        active={active}
        isMultiple={isMultiple}
        onActivate={setActive}
        onChoose={choose}
      />
      {fitting.length === 0 && <p class="offers-note soft">No matches.</p>}
      {note !== undefined && <p class="offers-note soft">{note}</p>}
    </>
  );
}
