// From rows to publications as people see them.
import type { PublicationRecord } from "../publications-table.ts";
import type { AccountKey } from "../accounts/video-accounts.ts";
import { parseProblem } from "./stored-problem.ts";
import type { Publication } from "./publish.ts";
import type { PublishRunnerDependencies } from "./publish-runner.ts";
import { isOver } from "./states.ts";

/** Makes publications of rows. Throws as the database does. */
export function createReadPublication({
  accounts,
  rules,
  log,
}: Pick<PublishRunnerDependencies, "accounts" | "rules" | "log">) {
  async function accountOf(record: PublicationRecord): Promise<Publication["account"]> {
    const key = accountKeyOf(record);
    try {
      const account = await accounts.byKey(record.guildId, record.account);
      return { key, name: account?.name, isLinked: account !== undefined };
    } catch (error) {
      log.debug({ error }, "account name unknown");
      return { key, name: undefined, isLinked: true };
    }
  }

  return async (record: PublicationRecord): Promise<Publication> => {
    const { guildId, state, approvalChannelId, fileName, sizeBytes, linkEndsAtMs, fileUrl } = record;
    const settings = await rules.settings(guildId);
    const { notBeforeMs, stopReason } = record;
    return {
      id: record.id,
      guildId,
      channelId: record.channelId,
      messageId: record.messageId,
      state,
      stateAtMs: record.stateAtMs,
      submittedBy: record.submittedBy,
      account: await accountOf(record),
      title: record.title,
      description: record.description,
      publishAtMs: record.publishAtMs,
      timeZone: settings.timeZone,
      file: { name: fileName, sizeBytes, linkEndsAtMs, url: fileUrl },
      asksApproval:
        state === "draft" ? settings.approvalChannelId !== undefined : approvalChannelId !== undefined,
      decidedBy: record.decidedBy,
      refusedReason: record.refusedReason,
      doneBytes: record.doneBytes,
      percent: record.percent,
      videoId: record.videoId,
      link: record.link,
      problem: parseProblem(record),
      nextTryAtMs: isOver(state) ? undefined : notBeforeMs,
      isStopping: stopReason === "cancelled" || (stopReason === "left" && state === "uploading"),
      left: stopReason === "cancelled" ? undefined : stopReason,
    };
  };
}

/** The account that it is for: rows hold nothing but keys. */
export function accountKeyOf({ account }: Pick<PublicationRecord, "account">): AccountKey {
  return account === "operator" ? account : `page:${account.replace(/^page:/, "")}`;
}
