// What a token allows, by the names of today's service or by those that the specification gives.
import type { Token } from "./entities.ts";
import { GraphError } from "./graph-error.ts";

/** Each with the specification's name for as much. */
const PERMISSIONS = {
  pages_manage_posts: "video_upload",
  pages_manage_engagement: "video_upload",
  pages_read_engagement: "user_videos",
  pages_read_user_content: "user_videos",
  read_insights: "user_videos",
} as const;

/** Throws a GraphError, 10 for what may not be read and 200 for what may not be done. */
export function checkPermission({ scopes }: Token, permission: keyof typeof PERMISSIONS): void {
  if (!scopes.includes(permission) && !scopes.includes(PERMISSIONS[permission])) {
    const code = permission.startsWith("pages_read") ? 10 : 200;
    throw new GraphError(code, `(#${code}) This needs the ${permission} permission`);
  }
}

/** Throws a GraphError for the token of a person, where only a page may act. */
export function checkIsPage({ kind }: Token): void {
  if (kind !== "page") {
    throw new GraphError(190, "(#190) This method must be called with a Page Access Token", {
      subcode: 2069032,
    });
  }
}
