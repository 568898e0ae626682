// What is left to try, once something was: the greeting has scrolled away by then.
import { signal } from "@preact/signals";
import { doneTries, startTry, tries, type Try } from "../chat/tries.ts";
import { openInspector, type PanelId } from "../inspector/inspector-state.ts";
import { Icon, type IconName } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { openedChannel, openedGuild } from "../state/scene.ts";
import { tellTrouble } from "../state/toast.ts";

/** What the inspector has for whoever has tried that, or all. */
interface Look {
  readonly title: string;
  readonly icon: IconName;
  readonly panel: PanelId;
  readonly after?: Try["id"];
}

const LOOKS: readonly Look[] = [
  { title: "Speed up time", icon: "clock", panel: "clock", after: "board" },
  { title: "Try a fault", icon: "bolt", panel: "faults" },
  { title: "See the traffic", icon: "pulse", panel: "traffic" },
];

const isDismissed = signal(false);

export function TryStrip() {
  const done = doneTries.value;
  const isHome = openedGuild.value?.channels[0]?.id === openedChannel.value?.id;
  if (!isHome || isDismissed.value || done.size === 0) {
    return null;
  }
  const isAllDone = done.size >= tries.value.length;
  const looks = LOOKS.filter(({ after }) => isAllDone || (after !== undefined && done.has(after)));
  return (
    <div class="try-strip row" role="group" aria-label="What to try next">
      <span class="subtext">Next</span>
      {(isAllDone ? [] : tries.value).map((one) => (
        <button
          key={one.id}
          type="button"
          class="card row"
          disabled={done.has(one.id)}
          onClick={() => void tellTrouble(startTry(one))}
        >
          <Icon name={done.has(one.id) ? "check" : one.icon} />
          {one.title}
        </button>
      ))}
      {looks.map(({ title, icon, panel }) => (
        <button key={panel} type="button" class="card row" onClick={() => openInspector(panel)}>
          <Icon name={icon} />
          {title}
        </button>
      ))}
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
