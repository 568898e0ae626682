import { useRef, useState } from "preact/hooks";

/**
 * Keeps a control from being used again before the bot has acknowledged the first use. Returns whether work is in progress, and
 * a function that starts work unless some is.
 */
export function useBusy(): [boolean, (work: () => Promise<unknown>) => void] {
  const [isBusy, setBusy] = useState(false);
  const running = useRef(false);
  const turn = (isOn: boolean) => {
    running.current = isOn;
    setBusy(isOn);
  };
  const begin = (work: () => Promise<unknown>) => {
    if (!running.current) {
      turn(true);
      void work().finally(() => turn(false));
    }
  };
  return [isBusy, begin];
}
