// Two processes, deaths at any call, a service and a Discord that fail and lie. test/long has many more lives.
import { expect, it } from "vitest";
import { publishesOnce } from "../../support/publish-properties.ts";

it("publishes once or not at all, and says which, whatever happens", { timeout: 120_000 }, () =>
  expect(publishesOnce(25)).resolves.toBeUndefined(),
);
