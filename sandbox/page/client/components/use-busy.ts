// Not to be pressed twice until the bot has acknowledged.
import { useEffect, useRef, useState } from "preact/hooks";

/** Whether the work goes on, and what begins it; while it does, nothing is begun. */
export function useBusy(): [boolean, (work: () => Promise<void>) => void] {
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  const isThere = useRef(true);
  useEffect(
    () => () => {
      isThere.current = false;
    },
    [],
  );
  const begin = (work: () => Promise<void>) => {
    if (running.current) {
      return;
    }
    running.current = true;
    setBusy(true);
    void work().finally(() => {
      running.current = false;
      // The answer may have taken the control away.
      if (isThere.current) {
        setBusy(false);
      }
    });
  };
  return [isBusy, begin];
}
