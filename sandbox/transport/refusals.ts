// How the service refuses: one key, `error`, a plain sentence.

/** A refusal on its way to the answer. Thrown where it is found. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 403 | 404 | 422;

  constructor(status: Refusal["status"], message: string) {
    super(message);
    this.status = status;
  }
}

const WHERE_TO_SIGN_UP = "See http://transportapi.com for plans and sign-up.";

/** The service's own sentence for credentials it does not know. It repeats the caller's key, as the real one does. */
export function unknownApplicationText(appId: string, appKey: string): string {
  return `Authorisation failed for app_key ${appKey} and app_id ${appId} with error 'application with id="${appId}" was not found' (code 'application_not_found'). ${WHERE_TO_SIGN_UP}`;
}

/** The service's own sentence for a plan that is used up. */
export function usedUpText(appId: string, appKey: string): string {
  return `Authorisation failed for app_key ${appKey} and app_id ${appId} with error 'usage limits are exceeded'. ${WHERE_TO_SIGN_UP}`;
}
