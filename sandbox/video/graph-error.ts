// The service's errors. Clients should use their codes, not their messages.
export interface GraphErrorDetails {
  readonly subcode?: number;
  /** Default 400. */
  readonly status?: 400 | 500;
  /** Default `OAuthException`: the service uses it for nearly everything. */
  readonly type?: string;
  readonly isTransient?: boolean;
  readonly userMessage?: string;
  readonly data?: Readonly<Record<string, string | number>>;
}

export class GraphError extends Error {
  override readonly name = "GraphError";
  readonly code: number;
  readonly details: GraphErrorDetails;

  constructor(code: number, message: string, details: GraphErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The error for an object that does not exist, or that the caller may not see: the service does not say which. */
export function gone(id: string, verb = "get"): GraphError {
  const message = `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`;
  return new GraphError(100, message, { subcode: 33, type: "GraphMethodException" });
}

export function wrongParameter(what: string, userMessage?: string): GraphError {
  return new GraphError(100, `(#100) ${what}`, userMessage === undefined ? {} : { userMessage });
}

/** The body of an error's answer. `trace` is the service's id of the request. */
export function formatError({ code, message, details }: GraphError, trace: string): object {
  const { subcode, type = "OAuthException", isTransient, userMessage, data } = details;
  return {
    error: {
      message,
      type,
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...(isTransient !== undefined && { is_transient: isTransient }),
      ...(userMessage !== undefined && {
        error_user_title: "That did not work",
        error_user_msg: userMessage,
      }),
      ...(data !== undefined && { error_data: data }),
      fbtrace_id: trace,
    },
  };
}
