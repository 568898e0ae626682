// What is left to try, once something was: the greeting has scrolled away by then.
import { signal } from "@preact/signals";
import { doneTries, startTry, tries } from "../chat/tries.ts";
import { openInspector } from "../inspector/inspector-state.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { openedChannel, openedGuild } from "../state/scene.ts";
import { tellTrouble } from "../state/toast.ts";

const isDismissed = signal(false);

export function TryStrip() {
  const done = doneTries.value;
  const isHome = openedGuild.value?.channels[0]?.id === openedChannel.value?.id;
  if (!isHome || isDismissed.value || done.size === 0) {
    return null;
  }
  return (
    <div class="try-strip row" role="group" aria-label="What to try next">
      <span class="subtext">Next</span>
      {tries.value.map((one) => (
        <button
          key={one.command}
          type="button"
          class="card row"
          disabled={done.has(one.command)}
          onClick={() => void tellTrouble(startTry(one))}
        >
          <Icon name={done.has(one.command) ? "check" : one.icon} />
          {one.title}
        </button>
      ))}
      {done.has("board subscribe") && (
        <button type="button" class="card row" onClick={() => openInspector("clock")}>
          <Icon name="clock" />
          Speed up time
        </button>
      )}
      <IconButton
        icon="close"
        label="Hide these suggestions"
        onClick={() => {
          isDismissed.value = true;
        }}
      />
    </div>
  );
}
