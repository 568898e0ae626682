// The number of cases that a property is tested with.

const MIN_CASES = 10;

/** Returns a tenth of the cases, which differ in every run; `npm run test:long` tests all. */
export function cases(all: number): number {
  return process.env["EVERY_CASE"] === "1" ? all : Math.min(all, Math.max(MIN_CASES, Math.ceil(all / 10)));
}
