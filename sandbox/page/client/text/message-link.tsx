// A link to a message leads there, as in Discord's client: not out of the page.
import type { ComponentChildren } from "preact";
import type { SceneChannel } from "../../../control/chat/api.ts";
import { titleOf } from "../chat/channel-title.ts";
import { jumpTarget } from "../state/layers.ts";
import { channelOf } from "../state/scene.ts";
import { openChannel } from "../state/session.ts";

const ADDRESS = /^https:\/\/discord\.com\/channels\/(?:\d{1,20}|@me)\/(\d{1,20})\/(\d{1,20})$/;

interface Place {
  readonly channel: SceneChannel;
  readonly messageId: string;
}

/** Where a link leads; `undefined` for one that leads elsewhere, or where who is played sees nothing. */
export function messageLinked(url: string): Place | undefined {
  const [, channelId = "", messageId = ""] = ADDRESS.exec(url) ?? [];
  const channel = channelOf(channelId);
  return channel && { channel, messageId };
}

/** `children` are the link's words; without them it says where it leads. */
export function MessageLink({
  place: { channel, messageId },
  children,
}: {
  readonly place: Place;
  readonly children?: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="mention"
      onClick={() => {
        openChannel(channel.id);
        jumpTarget.value = messageId;
      }}
    >
      {children ?? `${titleOf(channel)} › message`}
    </button>
  );
}
