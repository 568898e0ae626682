// What time it is in the sandbox, as a station would show it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { nowMs, rate, second } from "../../state/clock.ts";
import { formatTimestamp } from "../../text/timestamp.ts";
import { formatTime, UK } from "../parts/words.ts";

/** Real milliseconds between two looks, while time runs fast. */
const LOOK_EVERY_MS = 100;

const ZONE = new Intl.DateTimeFormat("en-GB", { timeZone: UK, timeZoneName: "short" });

export function BigClock({ isBusy }: { readonly isBusy: boolean }) {
  const now = useNow();
  const day = formatTimestamp(now / 1000, "F", 0, UK).replace(/ at .*$|,? \d\d:\d\d$/, "");
  const zone = ZONE.formatToParts(now).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return (
    <div
      class={isBusy ? "big-clock turning" : "big-clock"}
      role="timer"
      aria-label="The sandbox’s clock, UK time"
    >
      <time class="big-clock-time">{formatTime(now)}</time>
      <p>
        {day} <span class="big-clock-zone">{zone}</span>
      </p>
    </div>
  );
}

/** Each second, or as often as the eye can follow while time runs fast. */
function useNow(): number {
  const fast = useSignal(0);
  const isFast = rate.value !== 1;
  useEffect(() => {
    if (!isFast) {
      return undefined;
    }
    const timer = setInterval(() => {
      fast.value = nowMs();
    }, LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      fast.value = 0;
    };
  }, [isFast]);
  return fast.value === 0 ? second.value : fast.value;
}
