// A place around every statement, those that begin and end transactions included: to count them, or to let them fail.
import type { DatabaseConnection } from "kysely";
import { ServiceError } from "../core/errors.ts";
import { type Meter, noMeter } from "../core/meter.ts";

/** Runs one statement by calling `run`, or throws in its place or after it. */
export type Intercept = <T>(statement: string, run: () => Promise<T>) => Promise<T>;

/** For the hooks of Kysely's dialects: from now on all statements of this connection pass through `intercept`. */
export function interceptWith(intercept: Intercept) {
  return async (connection: DatabaseConnection): Promise<void> => {
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = (...query: Parameters<typeof execute>) =>
      intercept(query[0].sql, () => execute(...query));
  };
}

/** Measures each statement around what `intercept` does with it. */
export function timeStatements(meter: Meter, intercept?: Intercept): Intercept | undefined {
  if (meter === noMeter) {
    return intercept;
  }
  return async (statement, run) => {
    const startedMs = performance.now();
    try {
      return await (intercept ? intercept(statement, run) : run());
    } catch (error) {
      if (error instanceof ServiceError) {
        meter.count("database_failures_total", {});
      }
      throw error;
    } finally {
      meter.time("database_statement_duration_seconds", {}, performance.now() - startedMs);
    }
  };
}
