// The page's way to the sandbox's control routes (../control); nothing else here goes out.

/**
 * @typedef {import("./message-view.js").Message} Message
 * @typedef {import("./modal-view.js").Modal} Modal
 * @typedef {{ guild: string, members: { id: string, name: string, role: string }[], users: { id: string, name: string }[],
 *   channels: { id: string, name: string, kind: number }[], channel: { id: string, name: string, kind: number },
 *   messages: Message[], clock: { nowMs: number },
 *   commands: { name: string, description: string, kind: number, options?: import("./command-line.js").CommandOption[] }[] }} View
 * @typedef {{ do: "slash", command: string, options: Record<string, string | number | boolean | File> }
 *   | { do: "say", text: string, files: readonly File[] }
 *   | { do: "click", messageId: string, button: string }
 *   | { do: "select", messageId: string, menu: string, values: string[] }
 *   | { do: "menu", messageId: string, entry: string }
 *   | { do: "submit", interactionId: string, fields: Record<string, string | string[] | File[]> }
 *   | { do: "dismiss", messageId: string }} Act
 */

/**
 * What a member sees; without a known channel, their first one.
 * @param {string} member
 * @param {string} channel
 * @returns {Promise<View>}
 */
export async function fetchView(member, channel) {
  return ask(`_sandbox/view?${new URLSearchParams({ member, channel })}`);
}

/**
 * @param {string} member
 * @param {string} channel
 * @param {Act} what
 * @returns {Promise<{ interactionId: string, modal?: Modal }>}
 */
export async function act(member, channel, what) {
  return send({ member, channel, ...what });
}

/**
 * @param {string} member
 * @param {string} channel
 * @param {{ command: string, options: Record<string, string | number | boolean>, focused: string }} what
 * @returns {Promise<readonly { name: string, value: string | number }[]>}
 */
export async function complete(member, channel, what) {
  const { choices } = await send({ member, channel, do: "complete", ...what });
  return choices;
}

/**
 * Hears that something changed. The browser connects again by itself.
 * @param {() => void} onChange
 * @param {() => void} onLost
 */
export function listen(onChange, onLost) {
  const source = new EventSource("_sandbox/events");
  source.addEventListener("open", onChange);
  source.addEventListener("message", onChange);
  source.addEventListener("error", onLost);
}

/** @param {object} body */
async function send(body) {
  return ask("_sandbox/act", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(await withBytes(body)),
  });
}

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function ask(path, init) {
  const response = await fetch(path, init);
  const answer = await response.json();
  if (!response.ok) {
    throw new Error(answer.error ?? `The sandbox answered ${response.status}.`);
  }
  return answer;
}

/**
 * Files travel as base64 within the JSON.
 * @param {unknown} value
 * @returns {Promise<unknown>}
 */
async function withBytes(value) {
  if (value instanceof File) {
    return { name: value.name, base64: await base64Of(value) };
  }
  if (Array.isArray(value)) {
    return Promise.all(value.map(withBytes));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(async ([key, one]) => [key, await withBytes(one)]);
    return Object.fromEntries(await Promise.all(entries));
  }
  return value;
}

/** @param {File} file */
async function base64Of(file) {
  let binary = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) {
    binary += String.fromCodePoint(byte);
  }
  return btoa(binary);
}
