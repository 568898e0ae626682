// Which of some offers is active, and the keys that walk and choose.
import { useState } from "preact/hooks";
import { stepOf } from "../kit/option-list.tsx";

interface Offers {
  readonly active: number;
  readonly isOpen: boolean;
  readonly setActive: (index: number) => void;
  /** Handles a key if it is theirs; whether it was. */
  readonly takeKey: (event: KeyboardEvent) => boolean;
  readonly reopen: () => void;
}

/**
 * `topic` names what is offered: a new one opens the list again with the first active, unless `isShy`: then nothing
 * is until an arrow key asks for it.
 */
export function useOffers(
  topic: string,
  count: number,
  onChoose: (index: number) => void,
  isShy = false,
): Offers {
  const fresh = { topic, active: isShy ? -1 : 0, isClosed: false };
  const [kept, setKept] = useState(fresh);
  const { active, isClosed } = kept.topic === topic ? kept : fresh;
  const setActive = (next: number) => setKept({ topic, active: next, isClosed: false });
  const isOpen = !isClosed && count > 0;
  const place = Math.min(active, count - 1);
  return {
    active: isOpen ? place : -1,
    isOpen,
    setActive,
    reopen: () => setKept({ topic, active, isClosed: false }),
    takeKey(event) {
      const isWalk = event.key === "ArrowDown" || event.key === "ArrowUp";
      const isTake = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
      if (!isOpen || event.isComposing) {
        return false;
      }
      if (isWalk) {
        setActive(stepOf(event.key, place, count) ?? place);
      } else if (event.key === "Escape") {
        setKept({ topic, active, isClosed: true });
      } else if (isTake && place >= 0) {
        onChoose(place);
      } else {
        return false;
      }
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
