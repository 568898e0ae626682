// The number of cases that a property is tested with.

const LEAST = 10;

/** Returns a tenth of the cases, which differ in every run; `npm run test:long` tests all. */
export function cases(all: number): number {
  return process.env["EVERY_CASE"] === "1" ? all : Math.min(all, Math.max(LEAST, Math.ceil(all / 10)));
}
