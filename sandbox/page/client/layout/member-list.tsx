// Who is in the guild, by their highest role. A press plays them, or leads to the bot's direct messages.
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { bot } from "../state/bot.ts";
import { lookOf, type Look } from "../state/people.ts";
import { openedGuild, scene } from "../state/scene.ts";
import { openChannel, switchMember } from "../state/session.ts";

export function MemberList() {
  const guild = openedGuild.value;
  if (guild === undefined) {
    return null;
  }
  const looks = guild.members.map(({ userId }) => lookOf(userId));
  const groups = [
    ...guild.roles.map((role) => ({
      title: role.name,
      looks: looks.filter(({ roles }) => roles[0]?.id === role.id),
    })),
    { title: "Members", looks: looks.filter(({ roles }) => roles.length === 0) },
  ].filter((group) => group.looks.length > 0);
  return (
    <aside aria-label="Members">
      {groups.map((group) => (
        <section key={group.title}>
          <h3 class="subtext">
            {group.title} — {group.looks.length}
          </h3>
          <ul>
            {group.looks.map((look) => (
              <li key={look.id}>
                <MemberButton look={look} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </aside>
  );
}

function MemberButton({ look: { name, isBot, isOwner, tint } }: { readonly look: Look }) {
  const { state } = bot.value;
  return (
    <button
      type="button"
      class="item row"
      title={isBot ? `Message ${name}` : `Play ${name}`}
      onClick={() => {
        const [botsDirect] = scene.value?.directs ?? [];
        if (!isBot) {
          switchMember(name);
        } else if (botsDirect !== undefined) {
          openChannel(botsDirect.id);
        }
      }}
    >
      <Avatar name={name} isBot={isBot} size="small" />
      <span class={`clip tinted ${tint}`}>{name}</span>
      {isBot && <span class="app-tag">App</span>}
      {isOwner && <Icon name="crown" />}
      {isOwner && <span class="hidden">owner</span>}
      {isBot && state !== "ready" && state !== "none" && <span class="subtext">{state}</span>}
    </button>
  );
}
