// What a route tells, asked for anew each second while the component that shows it is there.
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../../api/request.ts";

const LOOK_EVERY_MS = 1000;

export function useTold<T>(path: string, told: Signal<T>): T {
  useEffect(() => {
    const look = async () => {
      told.value = await ask<T & {}>(path);
    };
    // The page tells of a break.
    const begin = () => void look().catch(() => undefined);
    begin();
    const timer = setInterval(begin, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return told.value;
}
