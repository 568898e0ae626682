// Checks a whole tree of components: their number, custom ids, ids and files.
import { COMPONENT_TYPES } from "../component-types.ts";
import type { Component } from "../entities.ts";
import type { Problem } from "../errors.ts";

/** How many components a message may have, including nested ones. */
const MAX_COMPONENTS = 40;
/** How many characters all text displays of a message may have together. */
const MAX_TEXT_CHARACTERS = 4000;
const MAX_LEGACY_ROWS = 5;
/** This component type and all higher ones need the V2 flag. */
const FIRST_V2_TYPE = COMPONENT_TYPES.section;

interface PlacedComponent {
  readonly component: Readonly<Record<string, unknown>>;
  readonly path: readonly (string | number)[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

function* walk(value: unknown, path: readonly (string | number)[]): Generator<PlacedComponent> {
  if (!isRecord(value)) {
    return;
  }
  yield { component: value, path };
  const list = Array.isArray(value["components"]) ? value["components"] : [];
  for (const [index, child] of list.entries()) {
    yield* walk(child, [...path, "components", index]);
  }
  for (const key of ["accessory", "component"]) {
    yield* walk(value[key], [...path, key]);
  }
}

/** Checks a message's components as a whole; each must be valid on its own. `files` are the names of its files. */
export function findTreeProblems(
  components: readonly unknown[],
  { isV2, files }: { readonly isV2: boolean; readonly files: readonly string[] },
): Problem[] {
  const placed = components.flatMap((component, index) => [...walk(component, ["components", index])]);
  return [
    ...findCountProblems(placed, components.length, isV2),
    ...findDuplicates(
      placed,
      "custom_id",
      "COMPONENT_CUSTOM_ID_DUPLICATED",
      "Component custom id cannot be duplicated",
    ),
    ...findDuplicates(placed, "id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated"),
    ...placed.flatMap((entry) => findFileProblems(entry, files)),
  ];
}

function findCountProblems(placed: readonly PlacedComponent[], topLevel: number, isV2: boolean): Problem[] {
  const path = ["components"];
  const problems: Problem[] = [];
  if (!isV2) {
    for (const { component, path: where } of placed) {
      if (Number(component["type"]) >= FIRST_V2_TYPE) {
        const message = "This component needs MessageFlags.IS_COMPONENTS_V2";
        problems.push({ path: [...where, "type"], code: "UNION_TYPE_CHOICES", message });
      }
    }
    if (topLevel > MAX_LEGACY_ROWS) {
      const message = `Must be ${MAX_LEGACY_ROWS} or fewer in length.`;
      problems.push({ path, code: "BASE_TYPE_BAD_LENGTH", message });
    }
  }
  if (placed.length > MAX_COMPONENTS) {
    const message = `The message has ${placed.length} components; at most ${MAX_COMPONENTS} are allowed.`;
    problems.push({ path, code: "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message });
  }
  const characters = placed
    .filter(({ component }) => component["type"] === COMPONENT_TYPES.textDisplay)
    .reduce((total, { component }) => total + String(component["content"]).length, 0);
  if (characters > MAX_TEXT_CHARACTERS) {
    const message = `The text displays have ${characters} characters; at most ${MAX_TEXT_CHARACTERS} are allowed.`;
    problems.push({ path, code: "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message });
  }
  return problems;
}

/** Finds values that several components have. An `id` of 0 means that Discord assigns one. */
function findDuplicates(
  placed: readonly PlacedComponent[],
  key: "custom_id" | "id",
  code: string,
  message: string,
): Problem[] {
  const seen = new Set<unknown>();
  return placed.flatMap(({ component, path }) => {
    const value = component[key];
    if (value === undefined || value === null || value === 0) {
      return [];
    }
    if (seen.has(value)) {
      return [{ path: [...path, key], code, message }];
    }
    seen.add(value);
    return [];
  });
}

function findFileProblems({ component, path }: PlacedComponent, files: readonly string[]): Problem[] {
  const items = Array.isArray(component["items"]) ? component["items"] : [];
  const media: (readonly [unknown, readonly (string | number)[]])[] = [
    [component["media"], ["media"]],
    [component["file"], ["file"]],
    ...items.map(
      (item, index) => [isRecord(item) ? item["media"] : undefined, ["items", index, "media"]] as const,
    ),
  ];
  return media.flatMap(([value, where]) => {
    const url = isRecord(value) ? value["url"] : undefined;
    if (typeof url !== "string" || !url.startsWith("attachment://")) {
      return [];
    }
    return files.includes(url.slice("attachment://".length))
      ? []
      : [
          {
            path: [...path, ...where, "url"],
            code: "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
            message: "The referenced attachment was not found in the uploaded files or existing attachments",
          },
        ];
  });
}

/** Gives an `id` to every component that has none, parents first, as Discord does. */
export function numberComponents(components: readonly unknown[]): Component[] {
  const placed = components.flatMap((component) => [...walk(component, [])]);
  const used = new Set(placed.map(({ component }) => component["id"]));
  let last = 0;
  function nextId(): number {
    do {
      last += 1;
    } while (used.has(last));
    return last;
  }
  function number(value: unknown): unknown {
    if (!isRecord(value)) {
      return value;
    }
    const id = value["id"] || nextId();
    const entries = Object.entries(value).map(([key, child]): [string, unknown] => {
      if (key === "components" && Array.isArray(child)) {
        return [key, child.map(number)];
      }
      return key === "accessory" || key === "component" ? [key, number(child)] : [key, child];
    });
    return { ...Object.fromEntries(entries.filter(([, child]) => child !== null)), id };
  }
  // The schemas of components.ts and modal.ts accept only objects with a numeric `type`.
  return components.map(number) as Component[];
}
