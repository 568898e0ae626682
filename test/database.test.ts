import { findDatabases } from "./support/databases.ts";
import { describeStorage } from "./plan/conformance.ts";

for (const kind of await findDatabases()) {
  describeStorage(kind);
}
