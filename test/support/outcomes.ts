import { ServiceError, type ServiceErrorKind, UserError } from "../../src/core/errors.ts";

/**
 * Returns the ServiceError with which a promise rejects. Throws if it does not reject, or rejects with anything else.
 */
export async function failureOf(asking: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await asking.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) {
    throw new Error("not a ServiceError", { cause: error });
  }
  return error;
}

/** Returns the kind of the ServiceError with which a promise rejects. */
export async function failureKindOf(asking: Promise<unknown>): Promise<ServiceErrorKind> {
  return (await failureOf(asking)).kind;
}

/** Whether a promise is fulfilled. */
export function succeeds(asking: Promise<unknown>): Promise<boolean> {
  return asking.then(
    () => true,
    () => false,
  );
}

/** Returns the result of `act`, or the message of its UserError. Other errors are rethrown. */
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
