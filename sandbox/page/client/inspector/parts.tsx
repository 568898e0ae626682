import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { ask } from "../api/request.ts";
import { formatTook, toneOf } from "./format.ts";

const POLL_EVERY_MS = 1000;

/** Fetches `_sandbox/<path>` into the signal every second while the component is mounted. Returns the signal's value. */
export function usePolled<T>(path: string, state: Signal<T>): T {
  useEffect(() => {
    const poll = async () => {
      state.value = await ask<T & {}>(path);
    };
    // If the sandbox is unreachable, the page already says so.
    const begin = () => void poll().catch(() => undefined);
    begin();
    const timer = setInterval(begin, POLL_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return state.value;
}

interface BlockProps {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Block({ title, aside, children }: BlockProps) {
  const id = useId();
  return (
    <section class="block card" aria-labelledby={id}>
      <header class="row">
        <h3 class="row" id={id}>
          {title}
        </h3>
        <span class="subtext">{aside}</span>
      </header>
      {children}
    </section>
  );
}

/** A long path breaks after a slash. */
export function Path({ path }: { readonly path: string }) {
  return path.split(/(?<=\/)/).map((part) => [part, <wbr />]);
}

interface StatusProps {
  /** `null` while the call is open, and if its answer was lost. */
  readonly status: number | null;
  /** `null` while the call is open. */
  readonly tookMs: number | null;
}

export function Status({ status, tookMs }: StatusProps) {
  return (
    <>
      <span class={`status ${status === null ? (tookMs === null ? "open" : "alarm") : toneOf(status)}`}>
        {status ?? (tookMs === null ? "…" : "lost")}
        {status === null && tookMs === null && <span class="hidden">open</span>}
      </span>
      <span class="took mono soft">{tookMs === null ? "" : formatTook(tookMs)}</span>
    </>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly isOn: boolean;
  readonly onTurn: (isOn: boolean) => void;
}

export function Switch({ label, children, isOn, onTurn }: SwitchProps) {
  const id = useId();
  return (
    <button
      type="button"
      role="switch"
      class="setting row"
      aria-checked={isOn}
      aria-labelledby={id}
      aria-describedby={`${id}-about`}
      onClick={() => onTurn(!isOn)}
    >
      <span class="stack rest">
        <strong id={id}>{label}</strong>
        <span class="subtext" id={`${id}-about`}>
          {children}
        </span>
      </span>
      <span class="switch" aria-hidden="true" />
    </button>
  );
}
