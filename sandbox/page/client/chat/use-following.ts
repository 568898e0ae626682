// Whoever reads at the end stays there when something comes.
import { useSignal, useSignalEffect, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { wantedEnd } from "../state/layers.ts";

/** This near to the end, in pixels, a reader follows what comes. */
const NEAR = 80;

/** `toEnd` goes there, for those who follow. */
export function useFollowing(list: RefObject<HTMLElement>): {
  readonly isFollowing: Signal<boolean>;
  readonly toEnd: () => void;
} {
  const isFollowing = useSignal(true);
  const toEnd = () => {
    if (isFollowing.peek() && list.current !== null) {
      list.current.scrollTop = list.current.scrollHeight;
    }
  };
  useSignalEffect(() => {
    if (wantedEnd.value > 0) {
      isFollowing.value = true;
      toEnd();
    }
  });
  useEffect(() => {
    const node = list.current;
    if (node === null) {
      return undefined;
    }
    const sizeNow = () => `${node.clientWidth} ${node.clientHeight}`;
    let lastTop = node.scrollTop;
    let lastSize = sizeNow();
    const onScroll = () => {
      const isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < NEAR;
      // What grows below moves nobody: only going up means to read there, and not where something opened beside the
      // list made it narrower, whereupon the browser itself moved it.
      if (isAtEnd) {
        isFollowing.value = true;
      } else if (node.scrollTop < lastTop && lastSize === sizeNow()) {
        isFollowing.value = false;
      }
      lastTop = node.scrollTop;
    };
    node.addEventListener("scroll", onScroll, { passive: true });
    // Pictures grow the list after it was drawn, and so does a narrower window. A list that shrinks moves up by itself:
    // that is nobody's wish to read there.
    const watch = new ResizeObserver(() => {
      toEnd();
      lastTop = node.scrollTop;
      lastSize = sizeNow();
    });
    watch.observe(node);
    if (node.firstElementChild !== null) {
      watch.observe(node.firstElementChild);
    }
    return () => {
      node.removeEventListener("scroll", onScroll);
      watch.disconnect();
    };
  }, []);
  return { isFollowing, toEnd };
}
