// What may come next, above the box.
import type { ComponentChildren } from "preact";
import { OptionList, type ListOption } from "../kit/option-list.tsx";

interface OfferBoxProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly ListOption[];
  readonly active: number;
  readonly onActivate: (index: number) => void;
  readonly onChoose: (index: number) => void;
  /** What stands above the list, e.g. what the option is for. */
  readonly head?: ComponentChildren;
  /** Said where there is nothing to choose. */
  readonly note?: string | undefined;
}

export function OfferBox({ head, note, ...list }: OfferBoxProps) {
  return (
    <div class="offers card">
      {head !== undefined && <div class="note subtext">{head}</div>}
      {list.options.length > 0 && <OptionList {...list} />}
      {note !== undefined && (
        <p class="note subtext" role="status">
          {note}
        </p>
      )}
    </div>
  );
}
