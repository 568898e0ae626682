// The open menu of a message, a person or a channel.
import { useState } from "preact/hooks";
import { openedMenu, type MenuEntry, type OpenedMenu } from "../state/layers.ts";
import { useFocusReturn } from "./focus.ts";
import { Icon } from "./icon.tsx";
import { stepOf } from "./option-list.tsx";
import { Popover } from "./popover.tsx";

export function MenuLayer() {
  const menu = openedMenu.value;
  return menu === undefined ? null : <Menu key={menu.label} menu={menu} />;
}

const close = () => {
  openedMenu.value = undefined;
};

function Menu({ menu: { label, at, entries } }: { readonly menu: OpenedMenu }) {
  const [active, setActive] = useState(0);
  useFocusReturn();
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepOf(event.key, active, entries.length) ?? startingWith(entries, event.key, active);
    if (next !== undefined) {
      event.preventDefault();
      setActive(next);
    } else if (event.key === "Tab") {
      event.preventDefault();
      close();
    }
  };
  return (
    <Popover class="menu" spot={() => at} onClose={close}>
      <div role="menu" aria-label={label} onKeyDown={onKeyDown}>
        {entries.map((entry, index) => (
          <Entry
            key={entry.label}
            entry={entry}
            isFirstOfGroup={index > 0 && entry.group !== entries[index - 1]?.group}
            isActive={index === active}
            onActivate={() => setActive(index)}
          />
        ))}
      </div>
    </Popover>
  );
}

interface EntryProps {
  readonly entry: MenuEntry;
  readonly isFirstOfGroup: boolean;
  readonly isActive: boolean;
  readonly onActivate: () => void;
}

function Entry({ entry, isFirstOfGroup, isActive, onActivate }: EntryProps) {
  return (
    <>
      {isFirstOfGroup && <div role="separator" />}
      <button
        type="button"
        role="menuitem"
        class={entry.isDangerous === true ? "dangerous" : ""}
        tabIndex={isActive ? 0 : -1}
        autofocus={isActive}
        ref={(node) => {
          if (isActive) {
            node?.focus({ preventScroll: true });
          }
        }}
        onPointerMove={() => isActive || onActivate()}
        onClick={() => {
          close();
          entry.run();
        }}
      >
        <span>{entry.label}</span>
        {entry.icon !== undefined && <Icon name={entry.icon} />}
      </button>
    </>
  );
}

/** The next entry that begins with a letter. */
function startingWith(entries: readonly MenuEntry[], key: string, active: number): number | undefined {
  if (key.length !== 1) {
    return undefined;
  }
  const order = entries.map((_, step) => (active + 1 + step) % entries.length);
  return order.find((index) => entries[index]?.label.toLowerCase().startsWith(key.toLowerCase()));
}
