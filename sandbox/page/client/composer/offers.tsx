// The list above the composer, and the keys that move in it and choose.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { optionId, OptionList, stepOf, type ListOption } from "../kit/option-list.tsx";

export interface Offered {
  readonly option: ListOption;
  readonly take: () => void;
}

export type Offers = ReturnType<typeof useOffers>;

/**
 * Manages the list above the box: which entry is active, and which keys it handles. When `topic` changes, the list opens again
 * with its first entry active, or with none if `startsInactive`. `id` is the id of the list.
 */
export function useOffers(id: string, topic: string, offered: readonly Offered[], startsInactive = false) {
  const fresh = { topic, active: startsInactive ? -1 : 0, isClosed: false };
  const [kept, setKept] = useState(fresh);
  const { active, isClosed } = kept.topic === topic ? kept : fresh;
  const count = offered.length;
  const isOpen = !isClosed && count > 0;
  const place = isOpen ? Math.min(active, count - 1) : -1;
  const setActive = (next: number) => setKept({ topic, active: next, isClosed: false });
  const choose = (index: number) => offered[index]?.take();
  return {
    isOpen,
    list: {
      id,
      options: isOpen ? offered.map(({ option }) => option) : [],
      active: place,
      onActivate: setActive,
      onChoose: choose,
    },
    /** Attributes for the input that owns the list. */
    input: {
      type: "text",
      "aria-autocomplete": "list",
      "aria-controls": isOpen ? id : undefined,
      "aria-activedescendant": place < 0 ? undefined : optionId(id, place),
      autocomplete: "off",
      spellcheck: false,
    } as const,
    reopen: () => setActive(active),
    /** Handles a key if it belongs to the list. Returns whether it did. */
    handleKey(event: KeyboardEvent): boolean {
      const isMoveKey = event.key === "ArrowDown" || event.key === "ArrowUp";
      const isChoiceKey = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
      if (!isOpen || event.isComposing) {
        return false;
      }
      if (isMoveKey) {
        setActive(stepOf(event.key, place, count) ?? place);
      } else if (event.key === "Escape") {
        setKept({ topic, active, isClosed: true });
      } else if (isChoiceKey && place >= 0) {
        choose(place);
      } else {
        return false;
      }
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

interface OfferBoxProps {
  readonly offers: Offers;
  readonly label: string;
  /** Shown above the list, e.g. the purpose of the option. */
  readonly head?: ComponentChildren;
  readonly note?: string | undefined;
}

export function OfferBox({ offers: { list }, label, head, note }: OfferBoxProps) {
  return (
    <div class="offers card">
      {head !== undefined && <div class="note subtext">{head}</div>}
      {list.options.length > 0 && <OptionList {...list} label={label} />}
      {note !== undefined && (
        <p class="note subtext" role="status">
          {note}
        </p>
      )}
    </div>
  );
}
