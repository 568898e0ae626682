// A few choices side by side, of which one holds.
import { useId } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface SegmentsProps<T extends string> {
  readonly title: string;
  /** Only for screen readers. */
  readonly isTitleHidden?: boolean;
  readonly chosen: T;
  readonly choices: readonly { readonly value: T; readonly words: string; readonly icon?: IconName }[];
  readonly onChoose: (value: T) => void;
}

export function Segments<T extends string>(props: SegmentsProps<T>) {
  const { title, isTitleHidden = false, chosen, choices, onChoose } = props;
  const name = useId();
  return (
    <fieldset>
      <legend class={isTitleHidden ? "hidden" : ""}>{title}</legend>
      <div class="segments">
        {choices.map(({ value, words, icon }) => (
          <label key={value}>
            <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
            <span>
              {icon !== undefined && <Icon name={icon} />}
              {words}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
