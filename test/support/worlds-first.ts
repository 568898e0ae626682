// The order of test files. A class, since vitest wants one.
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Those that drive a world, and often wait for it, come first: in the end no worker waits with nothing else to do. */
export class WorldsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of vitest's, and gives a new list
    const { worlds = [], rooms = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      /\/test\/(?:e2e|browser)\//.test(moduleId) ? "worlds" : "rooms",
    );
    return [...worlds, ...rooms];
  }
}
