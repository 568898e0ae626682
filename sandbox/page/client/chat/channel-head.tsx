// Above the chat: where one is, what time it is in the sandbox, and what else can be opened.
import { useComputed } from "@preact/signals";
import { PANELS } from "../inspector/panels.ts";
import { isInspectorOpen, openInspector, toggleInspector } from "../inspector/inspector-state.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { moment } from "../state/clock.ts";
import { drawer } from "../state/layers.ts";
import { openedChannel, openedGuild } from "../state/scene.ts";
import { memberList } from "../state/settings.ts";
import { formatTimestamp } from "../text/timestamp.ts";
import { iconOf } from "./channel-title.ts";

export function ChannelHead() {
  const channel = openedChannel.value;
  const isListShown = memberList.value === "shown";
  return (
    <header class="chat-head row">
      <IconButton
        icon="menu"
        label="Channels"
        class="only-narrow"
        isExpanded={drawer.value === "places"}
        onClick={() => {
          drawer.value = "places";
        }}
      />
      {channel !== undefined && (
        <h1>
          <Icon name={iconOf(channel)} /> {channel.name}
        </h1>
      )}
      <SandboxClock />
      {openedGuild.value !== undefined && (
        <>
          <IconButton
            icon="people"
            label="Members"
            class="only-wide"
            isPressed={isListShown}
            onClick={() => {
              memberList.value = isListShown ? "hidden" : "shown";
            }}
          />
          <IconButton
            icon="people"
            label="Members"
            class="only-narrow"
            isExpanded={drawer.value === "people"}
            onClick={() => {
              drawer.value = "people";
            }}
          />
        </>
      )}
      {PANELS.length > 0 && (
        <IconButton
          icon="gauge"
          label="Inspector"
          isPressed={isInspectorOpen.value}
          onClick={toggleInspector}
        />
      )}
    </header>
  );
}

/** UK time, as the trains run by it. */
function SandboxClock() {
  const words = useComputed(() => formatTimestamp(moment.value / 1000, "T", 0, "Europe/London"));
  const day = useComputed(() =>
    formatTimestamp(moment.value / 1000, "F", 0, "Europe/London").replace(/ at .*$/, ""),
  );
  return (
    <p class="sandbox-clock row soft">
      <span class="sandbox-notice">Sandbox: nothing here is real</span>
      <span class="sandbox-day">{day}</span>
      <button
        type="button"
        title="The sandbox's clock, UK time. Click to change it."
        onClick={() => openInspector("clock")}
      >
        <span class="hidden">The sandbox’s clock, UK time. Change it:</span>
        <time>{words}</time>
      </button>
    </p>
  );
}
