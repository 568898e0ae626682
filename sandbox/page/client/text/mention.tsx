// Names in a text that lead somewhere: people, roles, channels, commands.
import { startCommand } from "../composer/draft-state.ts";
import { tintOf } from "../state/people.ts";
import { channelOf, personOf, roles } from "../state/scene.ts";
import { openChannel } from "../state/session.ts";

interface MentionProps {
  readonly kind: "user" | "role" | "channel";
  readonly id: string;
}

export function Mention({ kind, id }: MentionProps) {
  if (kind === "role") {
    const role = roles.value.get(id);
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

/** `</board subscribe:1>`: puts the command in the box. */
export function CommandMention({ name }: { readonly name: string }) {
  return (
    <button type="button" class="mention" onClick={() => startCommand(name)}>
      /{name}
    </button>
  );
}
