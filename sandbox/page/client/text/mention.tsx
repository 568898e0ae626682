import type { ComponentChildren } from "preact";
import type { SceneChannel } from "../../../control/chat/api.ts";
import { titleOf } from "../chat/channel-title.ts";
import { startCommand } from "../composer/draft-state.ts";
import { jumpTarget } from "../state/layers.ts";
import { tintOf } from "../state/people.ts";
import { channelOf, personOf, roleOf } from "../state/scene.ts";
import { openChannel } from "../state/session.ts";

interface MentionProps {
  readonly kind: "user" | "role" | "channel";
  readonly id: string;
}

export function Mention({ kind, id }: MentionProps) {
  if (kind === "role") {
    const role = roleOf(id);
    return <span class={`mention ${tintOf(role)}`}>@{role?.name ?? "unknown-role"}</span>;
  }
  if (kind === "channel") {
    const channel = channelOf(id);
    return channel === undefined ? (
      <span class="mention">#unknown</span>
    ) : (
      <button type="button" class="mention" onClick={() => openChannel(id)}>
        #{channel.name}
      </button>
    );
  }
  return <span class="mention">@{personOf(id)?.name ?? "unknown-user"}</span>;
}

/** A mention of a command, e.g. `</board subscribe:1>`. A press puts the command into the composer. */
export function CommandMention({ name }: { readonly name: string }) {
  return (
    <button type="button" class="mention" onClick={() => startCommand(name)}>
      /{name}
    </button>
  );
}

const ADDRESS = /^https:\/\/discord\.com\/channels\/(?:\d{1,20}|@me)\/(\d{1,20})\/(\d{1,20})$/;

interface Place {
  readonly channel: SceneChannel;
  readonly messageId: string;
}

/** The message that a URL links to; `undefined` if it links elsewhere, or if the member cannot see the channel. */
export function linkedMessage(url: string): Place | undefined {
  const [, channelId = "", messageId = ""] = ADDRESS.exec(url) ?? [];
  const channel = channelOf(channelId);
  return channel && { channel, messageId };
}

/** A link to a message. `children` are the link's text; by default, it is the channel's name. */
export function MessageLink({
  place,
  children,
}: {
  readonly place: Place;
  readonly children?: ComponentChildren;
}) {
  const { channel, messageId } = place;
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
