import { findDatabases } from "../support/databases.ts";
import { describeStorage } from "./conformance.ts";

for (const kind of await findDatabases()) {
  describeStorage(kind);
}
