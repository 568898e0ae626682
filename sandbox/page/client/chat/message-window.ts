// Which of a channel's messages are drawn: a window that slides, so that a long channel costs no more than a short one.
// Pure.

/** From `start` to before `end`, counted from the channel's first message. `undefined`: the newest, whatever comes. */
export type MessageWindow = { readonly start: number; readonly end: number } | undefined;

/** So many are drawn of the newest. */
const TAIL = 30;
/** So many come with a step, */
const STEP = 10;
/** and so many are drawn at most. */
const MOST = 60;

/** What is drawn of `count` messages. */
export function shownOf(
  window: MessageWindow,
  count: number,
): { readonly start: number; readonly end: number } {
  return window === undefined
    ? { start: Math.max(0, count - TAIL), end: count }
    : { start: Math.min(window.start, count), end: Math.min(window.end, count) };
}

/** A step towards the first. */
export function stepUp(window: MessageWindow, count: number): MessageWindow {
  const { start, end } = shownOf(window, count);
  const next = Math.max(0, start - STEP);
  return { start: next, end: end - next > MOST ? next + MOST : openEnd(end, count) };
}

/** A step towards the newest. */
export function stepDown(window: MessageWindow, count: number): MessageWindow {
  const { start, end } = shownOf(window, count);
  const next = Math.min(count, end + STEP);
  return { start: Math.max(start, next - MOST), end: openEnd(next, count) };
}

/** With one message in the middle. */
export function windowAround(index: number, count: number): MessageWindow {
  const end = Math.min(count, index + MOST / 2);
  return { start: Math.max(0, index - MOST / 2), end: openEnd(end, count) };
}

/** Where the newest is drawn, those to come are too. */
function openEnd(end: number, count: number): number {
  return end >= count ? Infinity : end;
}
