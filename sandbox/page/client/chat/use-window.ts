// The window of drawn messages, moved by scrolling; what is looked at stays where it is.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { shownOf, stepDown, stepUp, windowAround, type MessageWindow } from "./message-window.ts";

/** This many screens from the edge of what is drawn, the next step is. */
const AHEAD = 1.2;

interface SlidingWindow {
  readonly start: number;
  readonly end: number;
  readonly onScroll: (isFollowing: boolean) => void;
  readonly reach: (index: number) => void;
  /** Back to the newest. */
  readonly reset: () => void;
}

export function useWindow(list: RefObject<HTMLElement>, count: number): SlidingWindow {
  const [window, setWindow] = useState<MessageWindow>(undefined);
  const anchor = useRef<{ readonly node: Element; readonly top: number }>();
  const { start, end } = shownOf(window, count);
  const move = (next: MessageWindow) => {
    anchor.current = list.current === null ? undefined : firstInSight(list.current);
    setWindow(next);
  };
  useLayoutEffect(() => {
    const kept = anchor.current;
    anchor.current = undefined;
    if (kept !== undefined && list.current !== null && kept.node.isConnected) {
      list.current.scrollTop += kept.node.getBoundingClientRect().top - kept.top;
    }
  }, [start, end, list]);
  return {
    start,
    end,
    reset: () => setWindow(undefined),
    reach: (index) => setWindow(windowAround(index, count)),
    onScroll(isFollowing) {
      const node = list.current;
      if (node === null) {
        return;
      }
      const ahead = node.clientHeight * AHEAD;
      const below = node.scrollHeight - node.scrollTop - node.clientHeight;
      if (isFollowing && end === count) {
        setWindow(undefined);
      } else if (node.scrollTop < ahead && start > 0) {
        move(stepUp(window, count));
      } else if (below < ahead && end < count) {
        move(stepDown(window, count));
      }
    },
  };
}

/** The first message that is in sight, and where. */
function firstInSight(list: HTMLElement): { readonly node: Element; readonly top: number } | undefined {
  const edge = list.getBoundingClientRect().top;
  const node = [...list.querySelectorAll(".messages > .message")].find(
    (one) => one.getBoundingClientRect().bottom > edge,
  );
  return node === undefined ? undefined : { node, top: node.getBoundingClientRect().top };
}
