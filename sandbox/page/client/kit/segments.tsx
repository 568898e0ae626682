// A few choices side by side, of which one holds.
import { useId } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface SegmentsProps<T extends string> {
  /** For screen readers. */
  readonly title: string;
  readonly chosen: T;
  readonly choices: readonly { readonly value: T; readonly words: string; readonly icon?: IconName }[];
  readonly onChoose: (value: T) => void;
}

export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { title, chosen, choices, onChoose } = props;
  const name = useId();
  return (
    <fieldset>
      <legend class="hidden">{title}</legend>
      <div class="segments">
        {choices.map(({ value, words, icon }) => (
          <label key={value}>
            <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
            <span>
              {icon !== undefined && <Icon name={icon} />} {words}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
