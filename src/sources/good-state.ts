/** Words with which operators report that all is well, e.g. `GOOD SERVICE`, `Running normally`. */
export function isGoodState(state: string): boolean {
  return /^(?:good|normal|ok\b|okay|on time|running (?:normally|well)|no (?:known |reported )?(?:issues|disruptions?|problems|delays)|open$|clear$|operating normally)/i.test(
    state.replaceAll(/[_-]+/g, " ").trim(),
  );
}
