// How a style is chosen: from a menu as far as one goes, otherwise by its name.
import {
  buttonTo,
  menu,
  type ActionButton,
  type SelectBlock,
  type Modal,
  type SelectChoice,
} from "../core/reply.ts";
import type { Style } from "./catalogue.ts";
import { type RestyleArgs, restyleTarget } from "./restyle-args.ts";

/** Discord's most in one menu. */
const MENU_LIMIT = 25;

export function styleMenu(
  styles: readonly Style[],
  placeholder: string,
  args: RestyleArgs,
): SelectBlock | undefined {
  const choices = styles.filter(({ id }) => id !== args.style).map(styleChoice);
  const target = restyleTarget("pick", { ...args, style: undefined });
  return menu(target, placeholder, choices.slice(0, MENU_LIMIT));
}

export function styleChoice({ id, label, description, group }: Style): SelectChoice {
  return { value: id, label: group === undefined ? label : `${group}: ${label}`, description };
}

/** A button that asks for a name, where the menu does not show every style. */
export function styleWordButton(styles: readonly Style[], args: RestyleArgs): readonly ActionButton[] {
  return styles.length > 0 && styles.length <= MENU_LIMIT
    ? []
    : [buttonTo("Type a style", restyleTarget("word", args))];
}

export function styleWordForm(styles: readonly Style[], args: RestyleArgs): Modal {
  const [example] = styles;
  return {
    type: "modal",
    target: restyleTarget("word", args),
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
