// What stands where a channel begins.
import { Icon } from "../kit/icon.tsx";
import type { SceneChannel } from "../../../control/chat/api.ts";
import { openedChannel, openedGuild, scene } from "../state/scene.ts";
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
          <p>{wordsFor(channel)}</p>
          <p>
            Type <kbd>/</kbd> to see what the bot can do here
            {isBotsDirect(channel) && ", or send it a picture or a video"}.
          </p>
        </>
      )}
    </div>
  );
}

function wordsFor(channel: SceneChannel): string {
  if (isDirect(channel)) {
    return `This is the beginning of your direct messages with ${channel.name}. Nobody else reads them.`;
  }
  const title = titleOf(channel);
  return channel.canWrite
    ? `This is the beginning of ${title}. Say something, if you like.`
    : `This is the beginning of ${title}. You can read here, but not write.`;
}

const isBotsDirect = (channel: SceneChannel) =>
  isDirect(channel) && channel.recipientIds.includes(scene.value?.botId ?? "");
