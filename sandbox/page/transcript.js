// The channel's messages on the page. Only what changed is drawn anew, so that focus and scrolling stay.
import { refreshTimestamps } from "./markdown-view.js";
import { drawMessage } from "./message-view.js";
import { replaceNode } from "./replace-node.js";

/** This near to the end, in pixels, a reader follows what comes. */
const FOLLOW_WITHIN = 120;

/**
 * @param {HTMLElement} log the scrolling element with role log
 * @param {import("./message-view.js").MessageActions} actions
 */
export function createTranscript(log, actions) {
  /** @type {Map<string, { json: string, node: HTMLElement }>} */
  const drawn = new Map();
  let isFollowing = true;

  const toEnd = () => {
    if (isFollowing) {
      log.scrollTop = log.scrollHeight;
    }
  };
  log.addEventListener("scroll", () => {
    isFollowing = log.scrollHeight - log.scrollTop - log.clientHeight < FOLLOW_WITHIN;
  });
  // Pictures grow the log after it was drawn; `load` does not bubble, so it is caught on the way down.
  log.addEventListener("load", toEnd, true);
  new ResizeObserver(toEnd).observe(log);

  return {
    /**
     * Shows these messages, oldest first, in place of those before.
     * @param {readonly import("./message-view.js").Message[]} messages
     */
    show(messages) {
      const ids = new Set(messages.map(({ id }) => id));
      for (const [id, { node }] of drawn) {
        if (!ids.has(id)) {
          node.remove();
          drawn.delete(id);
        }
      }
      for (const message of messages) {
        const json = JSON.stringify(message, withoutSignature);
        const before = drawn.get(message.id);
        if (before?.json !== json) {
          const node = drawMessage(message, actions);
          if (before === undefined) {
            log.append(node);
          } else {
            replaceNode(before.node, node);
          }
          drawn.set(message.id, { json, node });
        }
      }
      toEnd();
    },
    /** Forgets what was drawn, e.g. when another channel is opened. */
    clear() {
      drawn.clear();
      log.replaceChildren();
      isFollowing = true;
    },
    /** @param {number} nowMs */
    tick: (nowMs) => refreshTimestamps(log, nowMs),
  };
}

/**
 * Links are signed anew at every look; a picture must not be loaded anew for that.
 * @param {string} _key
 * @param {unknown} value
 */
function withoutSignature(_key, value) {
  return typeof value === "string" && value.startsWith("http") ? value.replace(/\?ex=.*$/, "") : value;
}
