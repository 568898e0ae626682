import { findDatabases } from "../support/databases.ts";
import { describeStatementFaults } from "../support/statement-ways.ts";

for (const kind of await findDatabases()) {
  if (kind.name === "sqlite") {
    describeStatementFaults(kind);
  }
}
