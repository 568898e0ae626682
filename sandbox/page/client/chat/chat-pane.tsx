// The chat: its header, the messages and the composer. Files can be dropped or pasted anywhere in it.
import { Composer } from "../composer/composer.tsx";
import { addFiles } from "../composer/files.ts";
import { Transcript } from "./transcript.tsx";
import { useComputed } from "@preact/signals";
import { formatDay, formatTime } from "../inspector/format.ts";
import { closeInspector, isInspectorOpen, openInspector } from "../inspector/inspector-state.ts";
import { Icon } from "../kit/icon.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { second } from "../state/clock.ts";
import { drawer, isNarrow } from "../state/layers.ts";
import { openedChannel, openedGuild } from "../state/scene.ts";
import { iconOf } from "./channel-title.ts";

/** Allows files to be dropped here; by default, the browser would open them. */
function over(event: DragEvent): void {
  if (event.dataTransfer?.types.includes("Files") === true) {
    event.preventDefault();
  }
}

export function ChatPane() {
  return (
    <main
      class="chat"
      inert={isNarrow.value && drawer.value !== undefined}
      onDragEnter={over}
      onDragOver={over}
      onDrop={(event) => {
        over(event);
        addFiles([...(event.dataTransfer?.files ?? [])]);
      }}
      onPaste={(event) => {
        const pasted = [...(event.clipboardData?.files ?? [])];
        if (pasted.length > 0) {
          event.preventDefault();
          addFiles(pasted);
        }
      }}
    >
      <ChannelHead />
      <Transcript />
      <Composer />
    </main>
  );
}

function ChannelHead() {
  const channel = openedChannel.value;
  return (
    <header class="chat-head head row">
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
        <h1 class="row clip">
          <Icon name={iconOf(channel)} /> {channel.name}
        </h1>
      )}
      <SandboxClock />
      {openedGuild.value !== undefined && (
        <IconButton
          icon="people"
          label="Members"
          class="only-narrow"
          isExpanded={drawer.value === "people"}
          onClick={() => {
            drawer.value = "people";
          }}
        />
      )}
      <IconButton
        icon="gauge"
        label="Inspector"
        isPressed={isInspectorOpen.value}
        onClick={() => (isInspectorOpen.value ? closeInspector() : openInspector())}
      />
    </header>
  );
}

/** The sandbox's clock in UK time, which the trains use. */
function SandboxClock() {
  const words = useComputed(() => formatTime(second.value));
  const day = useComputed(() => formatDay(second.value));
  return (
    <p class="sandbox-clock row subtext">
      <span class="sandbox-notice">Sandbox: nothing here is real ·</span>
      <span class="sandbox-day">{day}</span>
      <button
        type="button"
        title="The sandbox's clock, UK time. Click to change it."
        onClick={() => openInspector("clock")}
      >
        <span class="hidden">The sandbox’s clock, UK time. Change it:</span>
        <time class="led">{words}</time>
      </button>
    </p>
  );
}
