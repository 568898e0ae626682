// Not to be pressed twice until the bot has acknowledged.
import { useRef, useState } from "preact/hooks";

/** Whether the work goes on, and what begins it; while it does, nothing is begun. */
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
