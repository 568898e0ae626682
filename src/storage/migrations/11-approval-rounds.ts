import type { Migration } from "../migrations.ts";

/** When approval was last requested again. Each time, approvers get a new message. */
export const approvalRounds: Migration = async (schema) => {
  await schema.alterTable("publications").addColumn("approvalAskedAtMs", "bigint").execute();
};
