// Names in a text that lead somewhere: people, roles, channels, commands.
import { startCommand } from "../composer/draft-state.ts";
import { spotOf } from "../kit/spot-of.ts";
import { openedCard } from "../state/layers.ts";
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
  const person = personOf(id);
  return person === undefined ? (
    <span class="mention">@unknown-user</span>
  ) : (
    <button
      type="button"
      class="mention"
      aria-haspopup="dialog"
      onClick={(event) => {
        openedCard.value = { userId: id, at: spotOf(event.currentTarget) };
      }}
    >
      @{person.name}
    </button>
  );
}

/** `</board subscribe:1>`: puts the command in the box. */
export function CommandMention({ name }: { readonly name: string }) {
  return (
    <button type="button" class="mention" onClick={() => startCommand(name)}>
      /{name}
    </button>
  );
}
