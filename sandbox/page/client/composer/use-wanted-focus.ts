// Gives a place of the box the focus when it is asked for.
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { wantedFocus } from "./draft-state.ts";

/** What was asked for and has been given; a place that comes later must not take it again. */
let givenCount = 0;

/** At once, before the next key: nothing that is typed quickly may be lost. */
export function useWantedFocus(place: string, node: RefObject<HTMLElement>): void {
  const wanted = wantedFocus.value;
  useLayoutEffect(() => {
    if (wanted.place === place && wanted.count > givenCount) {
      givenCount = wanted.count;
      node.current?.focus({ preventScroll: true });
    }
  }, [wanted, place, node]);
}
