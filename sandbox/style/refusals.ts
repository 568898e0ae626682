// How the stand-in says no.

/** Answered as JSON with its status. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: 400 | 401 | 404 | 413 | 415 | 422;
  readonly code: string;

  constructor(status: Refusal["status"], code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
