/** Whether the edge in front of a service refuses a caller: it does not say who it is, or only which library it uses. */
export function isAnonymousAgent(userAgent = ""): boolean {
  return userAgent === "" || /^(?:node|undici|python|curl|axios)/i.test(userAgent);
}
