// The guild's members, grouped by their highest role. A press on a person switches to them; one on the bot opens its direct
// messages.
import { Avatar } from "../kit/avatar.tsx";
import { Icon } from "../kit/icon.tsx";
import { bot } from "../state/bot.ts";
import { drawer } from "../state/layers.ts";
import { profileOf, type Profile } from "../state/people.ts";
import { openedGuild, scene } from "../state/scene.ts";
import { openChannel, switchMember } from "../state/session.ts";

export function MemberList() {
  const guild = openedGuild.value;
  if (guild === undefined) {
    return null;
  }
  const profiles = guild.members.map(({ userId }) => profileOf(userId));
  const groups = [
    ...guild.roles.map((role) => ({
      title: role.name,
      profiles: profiles.filter(({ roles }) => roles[0]?.id === role.id),
    })),
    { title: "Members", profiles: profiles.filter(({ roles }) => roles.length === 0) },
  ].filter((group) => group.profiles.length > 0);
  return (
    <aside aria-label="Members">
      {groups.map((group) => (
        <section key={group.title}>
          <h3 class="subtext">
            {group.title} — {group.profiles.length}
          </h3>
          <ul>
            {group.profiles.map((profile) => (
              <li key={profile.id}>
                <MemberButton profile={profile} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </aside>
  );
}

function MemberButton({ profile: { name, isBot, isOwner, tint } }: { readonly profile: Profile }) {
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
        drawer.value = undefined;
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
