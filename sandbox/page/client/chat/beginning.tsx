// The text above a channel's first message.
import { Icon } from "../kit/icon.tsx";
import { openedChannel, openedGuild } from "../state/scene.ts";
import { iconOf, isDirect, titleOf } from "./channel-title.ts";
import { isNarrow } from "../state/layers.ts";
import { memberName } from "../state/session.ts";
import { reportFailure } from "../state/toast.ts";
import { doneExamples, startExample, examples } from "./examples.ts";

export function Beginning() {
  const channel = openedChannel.value;
  if (channel === undefined) {
    return null;
  }
  return openedGuild.value?.channels[0]?.id === channel.id ? (
    <Greeting />
  ) : (
    <div class="beginning">
      <h2>
        <Icon name={iconOf(channel)} /> {isDirect(channel) ? channel.name : `Welcome to ${titleOf(channel)}`}
      </h2>
      <p class="soft">
        {channel.canWrite
          ? "This is the beginning of the conversation."
          : "You can read here, but not write."}{" "}
        Type <kbd>/</kbd> to see what the bot can do here.
      </p>
    </div>
  );
}

function Greeting() {
  return (
    <section class="beginning" aria-labelledby="greeting-title">
      <p class="wordmark led" aria-hidden="true">
        SIGNALBOX
      </p>
      <h2 id="greeting-title">Welcome, {memberName}!</h2>
      <p class="soft">
        You play a member of a made-up server. The bot is the real one; nothing else here is real, and the
        trains are invented.{" "}
        {examples.value.length === 0
          ? "The bot is starting. You can talk to it in a moment."
          : `Pick one. It's typed for you: just ${isNarrow.value ? "send it" : "press Enter"}.`}
      </p>
      <ul class="examples">
        {examples.value.map((one) => (
          <li key={one.command}>
            <button
              type="button"
              class="example card row"
              onClick={() => void reportFailure(startExample(one))}
            >
              <Icon name={doneExamples.value.has(one.command) ? "check" : one.icon} />
              <span class="stack">
                <strong>{one.title}</strong>
                <span class="subtext">{one.description}</span>
                <code class="clip">/{one.command}</code>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p class="soft">
        Or type <kbd>/</kbd> to see every command, {isNarrow.value ? "attach" : "drop"} a picture, or choose
        somebody else to play{isNarrow.value ? ", in the menu at the top." : ", below the channels."} The
        gauge <Icon name="gauge" /> at the top opens the inspector.
      </p>
    </section>
  );
}
