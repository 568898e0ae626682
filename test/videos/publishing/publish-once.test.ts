// Two processes die at any call, and the service and Discord fail or answer wrongly. test/long runs many more cases.
import { expect, it } from "vitest";
import { publishesOnce } from "../../support/publish-properties.ts";

it("publishes once or not at all, and says which, whatever happens", { timeout: 120_000 }, () =>
  expect(publishesOnce(25)).resolves.toBeUndefined(),
);
