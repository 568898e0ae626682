// The guilds, and the direct messages above them.
import type { ComponentChildren } from "preact";
import type { SceneChannel, SceneGuild } from "../../../control/chat/api.ts";
import { Icon } from "../kit/icon.tsx";
import { unread } from "../state/messages.ts";
import { openChannel } from "../state/session.ts";
import { listedPlace } from "./listed-place.ts";

interface GuildRailProps {
  readonly guilds: readonly SceneGuild[];
  readonly directs: readonly SceneChannel[];
  /** A guild's id, or `directs`. */
  readonly listed: string;
}

export function GuildRail({ guilds, directs, listed }: GuildRailProps) {
  return (
    <nav class="rail" aria-label="Servers">
      <ul>
        <RailButton
          name="Direct messages"
          isCurrent={listed === "directs"}
          isUnread={directs.some(({ id }) => unread.value.has(id))}
          onClick={() => go("directs", directs[0]?.id)}
        >
          <Icon name="at" />
        </RailButton>
        {guilds.map(({ id, name, channels }) => (
          <RailButton
            key={id}
            name={name}
            isCurrent={listed === id}
            isUnread={channels.some((channel) => unread.value.has(channel.id))}
            onClick={() => go(id, channels[0]?.id)}
          >
            <span data-letters={initialsOf(name)} aria-hidden="true" />
          </RailButton>
        ))}
      </ul>
    </nav>
  );
}

function go(place: string, firstChannel: string | undefined): void {
  listedPlace.value = place;
  if (firstChannel !== undefined) {
    openChannel(firstChannel);
  }
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word.slice(0, 1))
    .join("")
    .slice(0, 3);

interface RailButtonProps {
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isUnread: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

function RailButton({ name, isCurrent, isUnread, onClick, children }: RailButtonProps) {
  return (
    <li class={isUnread ? "unread" : ""}>
      <button
        type="button"
        class="rail-button"
        aria-label={isUnread ? `${name}, unread` : name}
        title={name}
        aria-current={isCurrent ? "true" : undefined}
        onClick={onClick}
      >
        {children}
      </button>
    </li>
  );
}
