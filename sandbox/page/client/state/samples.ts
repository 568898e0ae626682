// Files that the sandbox brings for newcomers.
import { signal } from "@preact/signals";
import type { Sample, Samples } from "../../../control/api/samples.ts";
import { ask } from "../api/request.ts";

/** Empty until they are known, and where there are none. */
export const samples = signal<readonly Sample[]>([]);

let loading: Promise<void> | undefined;

/** Asks for them once; settles when they are known, or that there are none. */
export function loadSamples(): Promise<void> {
  loading ??= load();
  return loading;
}

async function load(): Promise<void> {
  const told = await ask<Samples>("samples").catch(() => ({ samples: [] }));
  samples.value = told.samples;
}

/** The sample as a file to attach; `undefined` where it cannot be had. */
export async function fetchSample({ url, name, contentType }: Sample): Promise<File | undefined> {
  const response = await fetch(url).catch(() => undefined);
  return response?.ok === true ? new File([await response.blob()], name, { type: contentType }) : undefined;
}
