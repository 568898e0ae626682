// What is left to try, once something was: the greeting has scrolled away by then.
import { signal } from "@preact/signals";
import { doneTries, startTry, tries } from "../chat/tries.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { openedChannel, openedGuild } from "../state/scene.ts";

const isDismissed = signal(false);

export function TryStrip() {
  const done = doneTries.value;
  const isHome = openedGuild.value?.channels[0]?.id === openedChannel.value?.id;
  if (!isHome || isDismissed.value || done.size === 0 || done.size >= tries.value.length) {
    return null;
  }
  return (
    <div class="try-strip" role="group" aria-label="What to try next">
      <span class="try-strip-title">Next</span>
      {tries.value.map((one) => (
        <button
          key={one.id}
          type="button"
          class={done.has(one.id) ? "done" : ""}
          disabled={done.has(one.id)}
          onClick={() => startTry(one)}
        >
          <Icon name={done.has(one.id) ? "check" : one.icon} />
          {one.title}
        </button>
      ))}
      <IconButton
        icon="close"
        label="Hide what to try"
        onClick={() => {
          isDismissed.value = true;
        }}
      />
    </div>
  );
}
