// A button of a message: it waits for the bot's acknowledgement, or leads elsewhere.
import type { Component } from "../../../control/chat/api.ts";
import { Icon } from "../kit/icon.tsx";
import { press } from "../state/acts.ts";
import { fieldOf, isSet, numberField, textField } from "./fields.ts";
import type { ComponentProps } from "./surface.ts";
import { useBusy } from "./use-busy.ts";

const STYLES = ["", "primary", "secondary", "success", "danger"];
const LINK = 5;

export function ButtonView({ component: button, surface: { messageId } }: ComponentProps) {
  const [isBusy, begin] = useBusy();
  const style = numberField(button, "style") ?? 2;
  const customId = textField(button, "custom_id");
  if (style === LINK) {
    return <LinkButton button={button} />;
  }
  return (
    <button
      type="button"
      class={`button ${STYLES[style] ?? "secondary"} ${isBusy ? "busy" : ""}`}
      disabled={isSet(button, "disabled")}
      // Not disabled while it waits: a disabled control loses the keyboard's focus.
      aria-busy={isBusy}
      onClick={() => begin(() => press(messageId, { do: "click", messageId, button: customId }))}
    >
      <Words button={button} />
    </button>
  );
}

function LinkButton({ button }: { readonly button: Component }) {
  const url = textField(button, "url");
  // The bot may link anywhere, but a press must not run anything: `javascript:` is no web address.
  const href = /^https?:\/\//i.test(url) && !isSet(button, "disabled") ? url : undefined;
  return (
    <a
      class="button"
      href={href}
      aria-disabled={href === undefined}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Words button={button} />
      <Icon name="out" />
    </a>
  );
}

function Words({ button }: { readonly button: Component }) {
  const emoji = textField(fieldOf(button, "emoji"), "name");
  const label = textField(button, "label");
  return (
    <span class="row">
      {emoji !== "" && <span aria-hidden={label === "" ? undefined : "true"}>{emoji}</span>}
      {label !== "" && <span>{label}</span>}
    </span>
  );
}
