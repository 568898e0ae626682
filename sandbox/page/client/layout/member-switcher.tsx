// Who is played, and the page's few settings.
import { useRef, useState } from "preact/hooks";
import { Avatar } from "../kit/avatar.tsx";
import { useFocusReturn } from "../kit/focus.ts";
import { Icon, type IconName } from "../kit/icon.tsx";
import { spotOf } from "../kit/spot-of.ts";
import { Popover } from "../kit/popover.tsx";
import { lookOf } from "../state/people.ts";
import { scene } from "../state/scene.ts";
import { switchMember } from "../state/session.ts";
import { Segments } from "../kit/segments.tsx";
import { DEBOUNCES_MS, debounceMs, theme, THEMES } from "../state/settings.ts";

/** How the page looks, and how long the box waits before it asks the bot. */
const THEME_WORDS: Readonly<
  Record<(typeof THEMES)[number], { readonly words: string; readonly icon: IconName }>
> = {
  system: { words: "System", icon: "gear" },
  light: { words: "Light", icon: "sun" },
  dark: { words: "Dark", icon: "moon" },
};

function Settings() {
  return (
    <div class="settings">
      <Segments
        title="Theme"
        chosen={theme.value}
        onChoose={(one) => {
          theme.value = one;
        }}
        choices={THEMES.map((one) => ({ value: one, ...THEME_WORDS[one] }))}
      />
      <Segments
        title="Delay before suggestions"
        chosen={debounceMs.value}
        onChoose={(one) => {
          debounceMs.value = one;
        }}
        choices={DEBOUNCES_MS.toSorted((a, b) => Number(a) - Number(b)).map((one) => ({
          value: one,
          words: `${one} ms`,
        }))}
      />
    </div>
  );
}

export function MemberSwitcher() {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const me = scene.value?.me;
  if (me === undefined) {
    return null;
  }
  const look = lookOf(me.id, me.name);
  return (
    <div class="switcher">
      <button
        ref={button}
        type="button"
        class="switcher-button row"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar id={me.id} name={me.name} isBot={false} />
        <span class="switcher-words rest">
          <strong>{me.name}</strong>
          <span>{rankOf(look)}</span>
        </span>
        <span class="hidden">: the member you play. Play someone else, or change the theme</span>
        <Icon name="gear" />
      </button>
      {isOpen && (
        <Popover
          class="switcher-popover"
          side="above"
          isWide
          spot={() => spotOf(button.current ?? document.body)}
          onClose={() => setOpen(false)}
        >
          <SwitcherPanel onClose={() => setOpen(false)} />
        </Popover>
      )}
    </div>
  );
}

function SwitcherPanel({ onClose }: { readonly onClose: () => void }) {
  useFocusReturn();
  const me = scene.value?.me.id;
  const people = scene.value?.people.filter(({ bot }) => !bot) ?? [];
  return (
    <div role="dialog" aria-label="Play someone else">
      <h3>You play</h3>
      <ul class="players">
        {people.map(({ id, name }) => {
          const look = lookOf(id, name);
          return (
            <li key={id}>
              <button
                type="button"
                aria-pressed={id === me}
                autofocus={id === me}
                onClick={() => {
                  switchMember(name);
                  onClose();
                }}
              >
                <Avatar id={id} name={name} isBot={false} size="small" />
                <span class={look.tint}>{name}</span>
                <span class="rank">{rankOf(look)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <Settings />
    </div>
  );
}

/** E.g. `Moderator`. */
function rankOf({ isOwner, roles }: ReturnType<typeof lookOf>): string {
  return isOwner ? "Owner" : (roles[0]?.name ?? "Member");
}
