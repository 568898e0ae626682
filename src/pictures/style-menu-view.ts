// How a style is chosen: from a menu as far as one goes, otherwise by its name.
import {
  buttonTo,
  menu,
  type ActionButton,
  type SelectBlock,
  type Modal,
  type SelectChoice,
} from "../core/reply.ts";
import type { ComponentTarget } from "../core/component-id.ts";
import type { Style } from "./catalogue.ts";
import { type RestyleArgs, restyleTarget } from "./restyle-args.ts";

/** Discord's most in one menu. */
const MENU_LIMIT = 25;
/** Each is a call of the service. */
const MOST_COMPARED = 4;

/** Another style for a picture that has one. */
export function otherStyleMenu(styles: readonly Style[], args: RestyleArgs): SelectBlock | undefined {
  const others = styles.filter(({ id }) => id !== args.style);
  return menu(restyleTarget("pick", { ...args, style: undefined }), "Another style", choicesOf(others));
}

/** The first style for a picture. */
export function firstStyleMenu(styles: readonly Style[], target: ComponentTarget): SelectBlock | undefined {
  return menu(target, "Pick a style", choicesOf(styles));
}

/** Opens {@link compareForm}; none where there is nothing to compare. */
export function compareButton(styles: readonly Style[], target: ComponentTarget): ActionButton | undefined {
  return styles.length < 2 ? undefined : buttonTo("Compare several", target);
}

/** Asks for several styles at once; it has the same target as its button. */
export function compareForm(styles: readonly Style[], target: ComponentTarget): Modal {
  return {
    type: "modal",
    target,
    title: "Compare styles",
    fields: [
      {
        type: "choice",
        name: "styles",
        label: `Up to ${MOST_COMPARED} styles`,
        choices: choicesOf(styles),
        max: MOST_COMPARED,
      },
    ],
  };
}

function choicesOf(styles: readonly Style[]): readonly SelectChoice[] {
  return styles.map(styleChoice).slice(0, MENU_LIMIT);
}

export function styleChoice({ id, label, description }: Style): SelectChoice {
  return { value: id, label, description };
}

/** A button that asks for a name, where the menu does not show every style. */
export function styleWordButton(styles: readonly Style[], target: ComponentTarget): ActionButton | undefined {
  return styles.length > 0 && styles.length <= MENU_LIMIT ? undefined : buttonTo("Type a style", target);
}

/** The form behind that button, which has the same target. */
export function styleWordForm(styles: readonly Style[], target: ComponentTarget): Modal {
  const [example] = styles;
  return {
    type: "modal",
    target,
    title: "Pick a style",
    fields: [
      {
        type: "text",
        name: "style",
        label: "Style",
        lines: "one",
        description: example ? "Any name that /styles shows" : "One word that the style service knows",
        placeholder: example?.label ?? "cartoon",
        maxLength: 80,
      },
    ],
  };
}
