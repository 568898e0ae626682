// What stands where a channel begins.
import { Icon } from "../kit/icon.tsx";
import type { SceneChannel } from "../../../control/chat/api.ts";
import { openedChannel, openedGuild } from "../state/scene.ts";
import { iconOf, isDirect, titleOf } from "./channel-title.ts";
import { Greeting } from "./greeting.tsx";

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
        {wordsFor(channel)} Type <kbd>/</kbd> to see what the bot can do here.
      </p>
    </div>
  );
}

function wordsFor(channel: SceneChannel): string {
  if (isDirect(channel)) {
    return `This is the beginning of your direct messages with ${channel.name}. Nobody else reads them. Send a picture or a video, if you like.`;
  }
  const title = titleOf(channel);
  return channel.canWrite
    ? `This is the beginning of ${title}. Say something, if you like.`
    : `This is the beginning of ${title}. You can read here, but not write.`;
}
