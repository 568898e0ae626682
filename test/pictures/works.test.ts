import { expect, it } from "vitest";
import { UserError } from "../../src/core/errors.ts";
import { createWorks } from "../../src/pictures/works.ts";
import { createStillClock } from "../support/still-clock.ts";

it("a person's work on a message is one at a time: a second press would be charged as well", () => {
  const works = createWorks(createStillClock());
  const first = works.begin("ada", "1");
  expect(() => works.begin("ada", "1")).toThrow(UserError);
  works.begin("ada", "2");
  works.begin("mary", "1");
  works.begin("ada", undefined);
  works.begin("ada", undefined);
  first[Symbol.dispose]();
  expect(works.begin("ada", "1").signal.aborted).toBe(false);
});
