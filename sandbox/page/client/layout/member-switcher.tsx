// Who is played, and how the page looks.
import { Avatar } from "../kit/avatar.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { rankOf } from "../state/people.ts";
import { scene } from "../state/scene.ts";
import { switchMember } from "../state/session.ts";
import { theme, THEMES } from "../state/settings.ts";

const THEME_ICONS = { system: "gear", light: "sun", dark: "moon" } as const;

export function MemberSwitcher() {
  const { me, people = [] } = scene.value ?? {};
  return (
    <div class="switcher row">
      {me !== undefined && <Avatar name={me.name} isBot={false} />}
      <select
        class="rest"
        aria-label="The member you play"
        value={me?.name}
        onChange={({ currentTarget }) => switchMember(currentTarget.value)}
      >
        {people
          .filter(({ bot }) => !bot)
          .map(({ id, name }) => (
            <option key={id} value={name}>
              {name} · {rankOf(id)}
            </option>
          ))}
      </select>
      <IconButton
        icon={THEME_ICONS[theme.value]}
        label={`Theme: ${theme.value}`}
        onClick={() => {
          theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "system";
        }}
      />
    </div>
  );
}
