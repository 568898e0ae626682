// The page's icons, drawn as lines in a 24 × 24 box.

const PATHS = {
  hash: "M9 4 7 20M17 4l-2 16M4 9h16M3.5 15h16",
  at: "M16 12a4 4 0 1 1-1.2-2.8M16 8v5.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-3.6 7.2",
  megaphone: "M4 10v4l11 5V5L4 10ZM15 9a3.5 3.5 0 0 1 0 6M6.5 15v4h3v-2.6",
  thread: "M5 4v9a4 4 0 0 0 4 4h10M15 13l4 4-4 4",
  forum: "M4 5h11v8H8l-4 3V5ZM18 9h2v11l-4-3h-6v-1",
  plus: "M12 5v14M5 12h14",
  send: "M4 12 20 4l-5 16-4-6.5L4 12ZM11 13.5 20 4",
  close: "m6 6 12 12M18 6 6 18",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  reply: "M10 6 4 12l6 6M4 12h9a7 7 0 0 1 7 7",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.5a6.5 6.5 0 0 1 3.5 5.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  gauge: "M4 18a9 9 0 1 1 16 0M12 15l4-5M12 15h.01",
  down: "m6 9 6 6 6-6",
  check: "m5 12.5 4.5 4.5L19 7.5",
  crown: "m4 8 4.5 4L12 5l3.5 7L20 8l-1.5 10h-13L4 8Z",
  bot: "M5 9h14v10H5zM12 9V5M9 13h.01M15 13h.01M9.5 16h5",
  spark: "M12 3v5M12 16v5M3 12h5M16 12h5M6.5 6.5l3 3M14.5 14.5l3 3M17.5 6.5l-3 3M9.5 14.5l-3 3",
  train: "M6 4h12v12H6zM6 11h12M9 20l1.5-4M15 20l-1.5-4M9 13.5h.01M15 13.5h.01",
  picture: "M4 5h16v14H4zM4 16l5-5 5 5 3-3 3 3M15.5 9h.01",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4",
  sound: "M4 10v4h4l5 4V6L8 10H4ZM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  board: "M3 5h18v11H3zM7 20h10M12 16v4M7 9h5M7 12h9",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  silent: "M6 16V11a6 6 0 0 1 9-5.2M18 9.5V16H8M10 19.5a2 2 0 0 0 4 0M4 4l16 16",
  alarm: "M12 4 2.5 20h19L12 4ZM12 10v5M12 17.5h.01",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  slash: "M15 4 9 20",
  pulse: "M3 12h4l3-7 4 14 3-7h4",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon that screen readers skip, so its meaning must also be in a text or label. */
export function Icon({ name, class: extra = "" }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
