// A place around every statement, those that begin and end transactions included: to count them, or to let them fail.
import type { DatabaseConnection } from "kysely";

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
