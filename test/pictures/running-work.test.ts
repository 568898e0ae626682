import { expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createRunningWork } from "../../src/pictures/running-work.ts";
import { createStillClock } from "../support/still-clock.ts";

it("a person has one piece of work per message at a time, because a second press would be charged too", () => {
  const runningWork = createRunningWork(createStillClock(), new AbortController().signal);
  const first = runningWork.begin("ada", "1");
  expect(() => runningWork.begin("ada", "1")).toThrow(UserError);
  runningWork.begin("ada", "2");
  runningWork.begin("mary", "1");
  runningWork.begin("ada", undefined);
  runningWork.begin("ada", undefined);
  first[Symbol.dispose]();
  expect(runningWork.begin("ada", "1").signal.aborted).toBe(false);
});
