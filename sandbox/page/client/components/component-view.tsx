// A message's components, by Discord's numbers for them.
import type { Component } from "../../../control/chat/api.ts";
import { MediaFile } from "../message/media-file.tsx";
import { Markdown } from "../text/markdown-view.tsx";
import { ButtonView } from "./button-view.tsx";
import { componentsOf, isSet, numberField, textField } from "./fields.ts";
import { Gallery, Thumbnail } from "./gallery.tsx";
import { SelectView } from "./select-view.tsx";
import { resolveMedia, type Surface } from "./surface.ts";
import type { ComponentChildren } from "preact";
import { Veil } from "./veil.tsx";

interface ComponentProps {
  readonly component: Component;
  readonly surface: Surface;
}

function ComponentView({ component, surface }: ComponentProps) {
  switch (component.type) {
    case 1:
      return (
        <div class="action-row">
          <Components value={component["components"]} surface={surface} />
        </div>
      );
    case 2:
      return <ButtonView button={component} surface={surface} />;
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return <SelectView select={component} surface={surface} />;
    case 9:
      return (
        <div class="section">
          <div class="section-text stack">
            <Components value={component["components"]} surface={surface} />
          </div>
          <Components value={component["accessory"]} surface={surface} />
        </div>
      );
    case 10:
      return <Markdown text={textField(component, "content")} />;
    case 11:
      return <Thumbnail item={component} surface={surface} />;
    case 12:
      return <Gallery gallery={component} surface={surface} />;
    case 13: {
      const { attachment } = resolveMedia(component["file"], surface);
      return attachment === undefined ? (
        <Unknown type={13} />
      ) : (
        <MediaFile attachment={attachment} isSpoiler={isSet(component, "spoiler")} />
      );
    }
    case 14:
      return (
        <hr
          class={`separator gap-${numberField(component, "spacing") === 2 ? 2 : 1} ${component["divider"] === false ? "blank" : ""}`}
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
      <div class={`container ${accent === undefined ? "" : "accented"}`} style={colour}>
        {children}
      </div>
    </Veil>
  );
}
