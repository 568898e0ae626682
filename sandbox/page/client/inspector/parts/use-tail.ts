// A list that grows at its end: whoever looks at the end stays there, whoever reads further up is left in peace.
import { useSignal, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** This near to the end, in pixels, is at the end. */
const NEAR = 24;

/** `shown` is what the list shows now. Whether it follows may be set, e.g. to follow again. */
export function useTail(list: RefObject<HTMLElement>, shown: unknown): Signal<boolean> {
  const isFollowing = useSignal(true);
  const toEnd = () => {
    if (isFollowing.peek() && list.current !== null) {
      list.current.scrollTop = list.current.scrollHeight;
    }
  };
  useLayoutEffect(() => {
    const node = list.current;
    if (node === null) {
      return undefined;
    }
    let lastTop = node.scrollTop;
    const onScroll = () => {
      const isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < NEAR;
      // What grows below moves nobody: only going up means to read there.
      if (isAtEnd || node.scrollTop < lastTop) {
        isFollowing.value = isAtEnd;
      }
      lastTop = node.scrollTop;
    };
    node.addEventListener("scroll", onScroll, { passive: true });
    const watch = new ResizeObserver(toEnd);
    watch.observe(node);
    return () => {
      node.removeEventListener("scroll", onScroll);
      watch.disconnect();
    };
  }, []);
  useLayoutEffect(toEnd, [shown, isFollowing.value]);
  return isFollowing;
}
