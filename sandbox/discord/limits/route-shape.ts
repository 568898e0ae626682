// The bucket of a request: its route with ids replaced, and the first id of its path.

export interface RouteShape {
  /** E.g. `PATCH /channels/:id/messages/:id`. */
  readonly shape: string;
  /** The channel, the guild, or the webhook with its token: each has its own bucket. Empty for other paths. */
  readonly major: string;
}

/** `path` is below the API's prefix, without a query. */
export function shapeOf(method: string, path: string): RouteShape {
  const parts = path.split("/");
  const [, resource = "", id = "", token = ""] = parts;
  const isWebhook = resource === "webhooks" && token !== "";
  const shape = parts
    .map((part, index) => {
      if (isWebhook && index === 3) {
        return ":token";
      }
      return /^\d+$/.test(part) || part === "@original" ? ":id" : part;
    })
    .join("/");
  const hasMajor = isWebhook || resource === "channels" || resource === "guilds";
  const major = isWebhook ? `${id}/${token}` : id;
  return { shape: `${method} ${shape}`, major: hasMajor ? major : "" };
}
