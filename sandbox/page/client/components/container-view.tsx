// A box with a coloured edge; a spoiler is veiled until it is pressed.
import type { ComponentChildren } from "preact";
import type { Component } from "../../../control/chat/api.ts";
import { isSet, numberField } from "./fields.ts";
import { Veil } from "./veil.tsx";

interface ContainerProps {
  readonly container: Component;
  readonly children: ComponentChildren;
}

export function ContainerView({ container, children }: ContainerProps) {
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
