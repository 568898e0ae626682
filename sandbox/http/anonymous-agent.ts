/** Whether a user agent is absent or names only a library, so that a service's edge network refuses the caller. */
export function isAnonymousAgent(userAgent = ""): boolean {
  return userAgent === "" || /^(?:node|undici|python|curl|axios)/i.test(userAgent);
}
