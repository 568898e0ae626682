// A message's components, by Discord's numbers for them.
import type { Component } from "../../../control/chat/api.ts";
import { FileCard, MediaView, Veil } from "../message/picture.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { ButtonView } from "./button-view.tsx";
import { componentsOf, isSet, numberField, textField } from "./fields.ts";
import { SelectView } from "./select-view.tsx";
import { attachmentOf, mediaOf, type Surface } from "./surface.ts";
import type { ComponentChildren } from "preact";

interface ComponentProps {
  readonly component: Component;
  readonly surface: Surface;
}

function ComponentView({ component, surface }: ComponentProps) {
  switch (component.type) {
    case 1:
      return (
        <div class="buttons row">
          <Components value={component["components"]} surface={surface} />
        </div>
      );
    case 2:
      return <ButtonView button={component} surface={surface} />;
    case 3:
      return <SelectView select={component} surface={surface} />;
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
      return <Gallery gallery={component} surface={surface} />;
    case 13: {
      const attachment = attachmentOf(component["file"], surface);
      return attachment === undefined ? (
        <Unknown type={13} />
      ) : (
        <FileCard attachment={attachment} isSpoiler={isSet(component, "spoiler") || attachment.spoiler} />
      );
    }
    case 14:
      return (
        <hr
          class={`separator ${numberField(component, "spacing") === 2 ? "wide" : ""} ${component["divider"] === false ? "blank" : ""}`}
        />
      );
    case 17:
      return (
        <ContainerView container={component}>
          <Components value={component["components"]} surface={surface} />
        </ContainerView>
      );
    default:
      return <Unknown type={component.type} />;
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

interface GalleryProps {
  readonly gallery: Component;
  readonly surface: Surface;
}

function Gallery({ gallery, surface }: GalleryProps) {
  const items: readonly unknown[] = Array.isArray(gallery["items"]) ? gallery["items"] : [];
  return (
    <div class={items.length === 1 ? "gallery" : "gallery several"}>
      {items.map((item, index) => (
        <MediaView key={index} {...mediaOf(item, surface)} />
      ))}
    </div>
  );
}

function Unknown({ type }: { readonly type: number }) {
  return <p class="subtext">(component type {type}, not shown here)</p>;
}

/** A box with a coloured edge; a spoiler is veiled until it is pressed. */
interface ContainerProps {
  readonly container: Component;
  readonly children: ComponentChildren;
}

function ContainerView({ container, children }: ContainerProps) {
  const accent = numberField(container, "accent_color");
  const colour = accent === undefined ? {} : { "--accent": `#${accent.toString(16).padStart(6, "0")}` };
  return (
    <Veil isOn={isSet(container, "spoiler")}>
      <div class="container card" style={colour}>
        {children}
      </div>
    </Veil>
  );
}
