// Builds elements. Text from outside becomes text nodes only: nothing here, or anywhere in the page, reads it as HTML.

/**
 * `attributes` set attributes; `true` sets an empty one, `false` and `undefined` none. `on…` adds a listener.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>} [attributes]
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      node.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

/**
 * The element that the page itself brings under this id.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function byId(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) {
    throw new TypeError(`index.html has no #${id} of this kind.`);
  }
  return node;
}
