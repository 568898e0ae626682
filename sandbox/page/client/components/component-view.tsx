// Renders a message's components.
import { COMPONENT_TYPES } from "../../../discord/component-types.ts";
import { FileCard, MediaView, Veil } from "../message/picture.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { componentsOf, fieldOf, isSet, numberField, textField } from "./fields.ts";
import { attachmentOf, type ComponentProps, mediaOf, type Surface } from "./surface.ts";
import type { Component } from "../../../control/chat/api.ts";
import { Icon } from "../kit/icon.tsx";
import { press } from "../state/actions.ts";
import { useBusy } from "./use-busy.ts";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Select } from "../kit/select.tsx";
import { selectDefaults, selectOptions } from "./select-choices.tsx";

function ComponentView({ component, surface }: ComponentProps) {
  switch (component.type) {
    case COMPONENT_TYPES.actionRow:
      return (
        <div class="buttons row">
          <Components value={component["components"]} surface={surface} />
        </div>
      );
    case COMPONENT_TYPES.button:
      return <ButtonView component={component} surface={surface} />;
    case COMPONENT_TYPES.stringSelect:
      return <SelectView component={component} surface={surface} />;
    case COMPONENT_TYPES.section:
      return (
        <div class="section row">
          <div class="stack rest">
            <Components value={component["components"]} surface={surface} />
          </div>
          <Components value={component["accessory"]} surface={surface} />
        </div>
      );
    case COMPONENT_TYPES.textDisplay:
      return <Markdown text={textField(component, "content")} />;
    case COMPONENT_TYPES.thumbnail:
      return (
        <div class="thumbnail">
          <MediaView {...mediaOf(component, surface)} />
        </div>
      );
    case COMPONENT_TYPES.mediaGallery:
      return <Gallery component={component} surface={surface} />;
    case COMPONENT_TYPES.file: {
      const attachment = attachmentOf(component["file"], surface);
      return (
        attachment && (
          <FileCard attachment={attachment} isSpoiler={isSet(component, "spoiler") || attachment.spoiler} />
        )
      );
    }
    case COMPONENT_TYPES.separator:
      return (
        <hr
          class={`separator ${numberField(component, "spacing") === 2 ? "wide" : ""} ${component["divider"] === false ? "blank" : ""}`}
        />
      );
    case COMPONENT_TYPES.container: {
      const accent = numberField(component, "accent_color");
      const colour = accent === undefined ? {} : { "--accent": `#${accent.toString(16).padStart(6, "0")}` };
      return (
        <Veil isOn={isSet(component, "spoiler")}>
          <div class="container card" style={colour}>
            <Components value={component["components"]} surface={surface} />
          </div>
        </Veil>
      );
    }
    default:
      return <p class="subtext">(component type {component.type}, not shown here)</p>;
  }
}

export function Components({ value, surface }: { readonly value: unknown; readonly surface: Surface }) {
  return (
    <>
      {componentsOf(value).map((component) => (
        <ComponentView key={component.id} component={component} surface={surface} />
      ))}
    </>
  );
}

function Gallery({ component, surface }: ComponentProps) {
  const items: readonly unknown[] = Array.isArray(component["items"]) ? component["items"] : [];
  return (
    <div class={items.length === 1 ? "gallery" : "gallery several"}>
      {items.map((item, index) => (
        <MediaView key={index} {...mediaOf(item, surface)} />
      ))}
    </div>
  );
}

const STYLES = ["", "primary", "secondary", "success", "danger"];
const LINK = 5;

function ButtonView({ component: button, surface: { messageId } }: ComponentProps) {
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
      // Not `disabled` while busy, because a disabled control loses the keyboard's focus.
      aria-busy={isBusy}
      onClick={() => begin(() => press(messageId, { do: "click", messageId, button: customId }))}
    >
      <ButtonLabel button={button} />
    </button>
  );
}

function LinkButton({ button }: { readonly button: Component }) {
  const url = textField(button, "url");
  // The bot may link to any website, but a `javascript:` link would run code.
  const href = /^https?:\/\//i.test(url) && !isSet(button, "disabled") ? url : undefined;
  return (
    <a
      class="button"
      href={href}
      aria-disabled={href === undefined}
      target="_blank"
      rel="noopener noreferrer"
    >
      <ButtonLabel button={button} />
      <Icon name="out" />
    </a>
  );
}

function ButtonLabel({ button }: { readonly button: Component }) {
  const emoji = textField(fieldOf(button, "emoji"), "name");
  const label = textField(button, "label");
  return (
    <span class="row">
      {emoji !== "" && <span aria-hidden={label === "" ? undefined : "true"}>{emoji}</span>}
      {label !== "" && <span>{label}</span>}
    </span>
  );
}

function SelectView({ component: select, surface: { messageId } }: ComponentProps) {
  const defaults = useMemo(() => selectDefaults(select), [select]);
  const [chosen, setChosen] = useState<readonly string[]>(defaults);
  const [isBusy, begin] = useBusy();
  // When the bot edits the message, its defaults replace the member's choice.
  useEffect(() => setChosen(defaults), [defaults]);
  const placeholder = textField(select, "placeholder") || "Make a selection";
  const max = numberField(select, "max_values") ?? 1;
  const min = numberField(select, "min_values") ?? 1;
  const send = (values: readonly string[]) => {
    setChosen(values);
    if (values.length >= min) {
      const menu = textField(select, "custom_id");
      begin(async () => {
        if (!(await press(messageId, { do: "select", messageId, menu, values }))) {
          // If the failed choice stayed, the member could not choose the same option again.
          setChosen(defaults);
        }
      });
    }
  };
  return (
    <Select
      label={placeholder}
      placeholder={placeholder}
      options={selectOptions(select)}
      chosen={chosen}
      min={min}
      max={max}
      isDisabled={isSet(select, "disabled")}
      isBusy={isBusy}
      onSettle={send}
    />
  );
}
