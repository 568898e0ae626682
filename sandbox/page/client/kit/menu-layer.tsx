// The menu of a message. The browser shows it above everything, and closes it on Escape or a press elsewhere.
import { useLayoutEffect, useRef } from "preact/hooks";
import { openedMenu, type OpenedMenu } from "../state/layers.ts";
import { Icon } from "./icon.tsx";
import { stepOf } from "./option-list.tsx";

const GAP_PX = 6;

export function MenuLayer() {
  const menu = openedMenu.value;
  return menu === undefined ? null : <Menu key={menu.label} menu={menu} />;
}

const close = () => {
  openedMenu.value = undefined;
};

function Menu({ menu: { label, at, entries } }: { readonly menu: OpenedMenu }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = box.current;
    node?.showPopover();
    if (node !== null) {
      node.style.left = `${Math.min(at.x, innerWidth - node.offsetWidth - GAP_PX)}px`;
      node.style.top = `${Math.max(GAP_PX, Math.min(at.y, innerHeight - node.offsetHeight - GAP_PX))}px`;
    }
    // Hidden before it is removed, so that the browser returns the focus.
    return () => node?.hidePopover();
  }, []);
  return (
    <div
      ref={box}
      popover="auto"
      class="popover card menu"
      role="menu"
      aria-label={label}
      onToggle={({ newState }) => {
        if (newState === "closed") {
          close();
        }
      }}
      onKeyDown={(event) => {
        const items = [...event.currentTarget.querySelectorAll("button")];
        const active = items.findIndex((one) => one === document.activeElement);
        const next = stepOf(event.key, active, items.length);
        if (next !== undefined) {
          event.preventDefault();
          items[next]?.focus();
        } else if (event.key === "Tab") {
          event.preventDefault();
          close();
        }
      }}
    >
      {entries.map(({ label: words, icon, run }, index) => (
        <button
          key={words}
          type="button"
          role="menuitem"
          class={icon === "trash" ? "dangerous" : ""}
          autofocus={index === 0}
          tabIndex={-1}
          onPointerMove={({ currentTarget }) => currentTarget.focus()}
          onClick={() => {
            close();
            run();
          }}
        >
          {words}
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}
