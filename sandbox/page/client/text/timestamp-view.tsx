// A moment in words; relative ones go on counting on the sandbox's clock.
import { useComputed } from "@preact/signals";
import { nowMs, second } from "../state/clock.ts";
import { formatTimestamp } from "./timestamp.ts";

interface TimestampProps {
  /** Since the Unix epoch. */
  readonly seconds: number;
  /** One of Discord's letters. */
  readonly format: string;
  readonly class?: string;
}

export function Timestamp({ seconds, format, class: name = "timestamp" }: TimestampProps) {
  const words = useComputed(() => formatTimestamp(seconds, format, format === "R" ? second.value : 0));
  return (
    <time class={name} title={formatTimestamp(seconds, "F", nowMs())} dateTime={isoOf(seconds)}>
      {words}
    </time>
  );
}

/** A bot may write any number. */
function isoOf(seconds: number): string | undefined {
  const at = new Date(seconds * 1000);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
