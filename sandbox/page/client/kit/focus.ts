// Where the keyboard's focus goes.
import { useEffect, useRef } from "preact/hooks";

/**
 * Gives the focus back, when this goes, to whatever had it when it came; unless what was chosen here has given it to
 * something else.
 */
export function useFocusReturn(): void {
  // Read while drawing: once it is drawn, something within may have taken the focus already.
  const before = useRef(document.activeElement);
  useEffect(
    () => () => {
      // Once it is gone, and with it the focus that it held.
      queueMicrotask(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body;
        if (isNowhere && before.current instanceof HTMLElement && before.current.isConnected) {
          before.current.focus({ preventScroll: true });
        }
      });
    },
    [],
  );
}
