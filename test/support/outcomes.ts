import { ServiceError, UserError } from "../../src/core/errors.ts";

/** What something fails with. Throws where it does not fail, or with anything but a ServiceError. */
export async function failureOf(asking: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) {
    throw new Error("no ServiceError", { cause: error });
  }
  return error;
}

/** What something gives; the sentence where a person is refused. Anything else that is thrown is a bug. */
export function orSentence<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    if (error instanceof UserError) {
      return error.message;
    }
    throw error;
  }
}
