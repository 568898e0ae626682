// How many cases of a property are tried.

const LEAST = 10;

/** A tenth of them, with other seeds in every run; `npm run test:long` tries all. */
export function cases(all: number): number {
  return process.env["EVERY_CASE"] === "1" ? all : Math.min(all, Math.max(LEAST, Math.ceil(all / 10)));
}
