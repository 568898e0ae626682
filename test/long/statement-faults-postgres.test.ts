import { findDatabases } from "../support/databases.ts";
import { describeStatementFaults } from "../support/statement-fault-tests.ts";

for (const kind of await findDatabases()) {
  if (kind.name === "postgres") {
    describeStatementFaults(kind);
  }
}
