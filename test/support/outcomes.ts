import { ServiceError, UserError } from "../../src/core/errors.ts";

/** The ServiceError with which something fails. Throws if it does not fail, or fails with anything else. */
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

/** The result of `act`, or the sentence of its UserError. Any other error is thrown on. */
export function resultOrMessage<T>(act: () => T): T | string {
  try {
    return act();
  } catch (error) {
    if (error instanceof UserError) {
      return error.message;
    }
    throw error;
  }
}
