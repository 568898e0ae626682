// What stands where a channel begins.
import { Icon } from "../kit/icon.tsx";
import { openedChannel, openedGuild } from "../state/scene.ts";
import { iconOf, isDirect, titleOf } from "./channel-title.ts";
import { Greeting } from "./greeting.tsx";

export function Beginning() {
  const channel = openedChannel.value;
  if (channel === undefined) {
    return null;
  }
  const isFirst = openedGuild.value?.channels[0]?.id === channel.id;
  return (
    <div class="beginning">
      {isFirst ? (
        <Greeting />
      ) : (
        <>
          <span class="beginning-sign">
            <Icon name={iconOf(channel)} />
          </span>
          <h2>{isDirect(channel) ? channel.name : `Welcome to ${titleOf(channel)}`}</h2>
          <p>
            {isDirect(channel)
              ? `This is the beginning of your direct messages with ${channel.name}.`
              : `This is the beginning of ${titleOf(channel)}.`}
          </p>
        </>
      )}
    </div>
  );
}
