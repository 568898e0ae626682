import type { ArgsCodec } from "../../src/core/component-id.ts";

/** Decodes arguments. Throws if they cannot be read. */
export function readArgs<A>(codec: ArgsCodec<A>, written: Readonly<Record<string, string>> = {}): A {
  const read = codec.decode(written);
  if (read === undefined) {
    throw new Error(`cannot read ${JSON.stringify(written)}`);
  }
  return read;
}
