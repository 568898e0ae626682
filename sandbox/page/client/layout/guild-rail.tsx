// The guilds, and the direct messages above them.
import type { SceneChannel, SceneGuild } from "../../../control/chat/api.ts";
import { unread } from "../state/messages.ts";
import { openChannel } from "../state/session.ts";

interface GuildRailProps {
  readonly guilds: readonly SceneGuild[];
  readonly directs: readonly SceneChannel[];
  /** A guild's id, or `directs`. */
  readonly listed: string;
}

export function GuildRail({ guilds, directs, listed }: GuildRailProps) {
  const places = [
    { id: "directs", name: "Direct messages", sign: "@", channels: directs },
    ...guilds.map((guild) => ({ ...guild, sign: guild.name.replaceAll(/(\S)\S*\s*/g, "$1") })),
  ];
  return (
    <nav class="rail" aria-label="Servers">
      <ul>
        {places.map(({ id, name, sign, channels }) => {
          const isUnread = channels.some((channel) => unread.value.has(channel.id));
          return (
            <li key={id} class={isUnread ? "unread" : ""}>
              <button
                type="button"
                class="rail-button"
                aria-label={isUnread ? `${name}, unread` : name}
                title={name}
                aria-current={listed === id ? "true" : undefined}
                onClick={() => {
                  const [first] = channels;
                  if (first !== undefined) {
                    openChannel(first.id);
                  }
                }}
              >
                <span data-letters={sign} aria-hidden="true" />
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
