// Who is played.
import { Avatar } from "../kit/avatar.tsx";
import { rankOf } from "../state/people.ts";
import { scene } from "../state/scene.ts";
import { switchMember } from "../state/session.ts";

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
    </div>
  );
}
