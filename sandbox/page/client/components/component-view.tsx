// A message's components, by Discord's numbers for them.
import { FileCard, MediaView, Veil } from "../message/picture.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { ButtonView } from "./button-view.tsx";
import { componentsOf, isSet, numberField, textField } from "./fields.ts";
import { SelectView } from "./select-view.tsx";
import { attachmentOf, mediaOf, type ComponentProps, type Surface } from "./surface.ts";

function ComponentView({ component, surface }: ComponentProps) {
  switch (component.type) {
    case 1:
      return (
        <div class="buttons row">
          <Components value={component["components"]} surface={surface} />
        </div>
      );
    case 2:
      return <ButtonView component={component} surface={surface} />;
    case 3:
      return <SelectView component={component} surface={surface} />;
    case 9:
      return (
        <div class="section row">
          <div class="stack rest">
            <Components value={component["components"]} surface={surface} />
          </div>
          <Components value={component["accessory"]} surface={surface} />
        </div>
      );
    case 10:
      return <Markdown text={textField(component, "content")} />;
    case 11:
      return (
        <div class="thumbnail">
          <MediaView {...mediaOf(component, surface)} />
        </div>
      );
    case 12:
      return <Gallery component={component} surface={surface} />;
    case 13: {
      const attachment = attachmentOf(component["file"], surface);
      return (
        attachment && (
          <FileCard attachment={attachment} isSpoiler={isSet(component, "spoiler") || attachment.spoiler} />
        )
      );
    }
    case 14:
      return (
        <hr
          class={`separator ${numberField(component, "spacing") === 2 ? "wide" : ""} ${component["divider"] === false ? "blank" : ""}`}
        />
      );
    case 17: {
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

/** Some of them, one after another; one alone is a list of one. */
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
