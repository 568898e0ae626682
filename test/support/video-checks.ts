// Checks the guarantees of a publication against the videos on the service, the row and the messages that members see.
import type { World } from "../../sandbox/world.ts";
import type { PublicationRecord } from "../../src/videos/publications-table.ts";
import type { FinishedPublication } from "./video-campaign.ts";
import { readShownState, textOf, videosOf, type PublicationMessages } from "./video-messages.ts";

/** The evidence about a publication at the end. */
export interface Evidence {
  readonly world: World;
  readonly messages: PublicationMessages;
  readonly finished: Pick<FinishedPublication, "id" | "title" | "asksApproval" | "isAtRest">;
  readonly record: PublicationRecord | undefined;
}

/** Returns one line for each broken guarantee. */
export function checkPublication({ world, messages, finished, record }: Evidence): readonly string[] {
  const { id, title, asksApproval, isAtRest } = finished;
  const { own, approvals } = messages.of(id);
  const [message] = own;
  const text = message === undefined ? "" : textOf(message);
  const said = message === undefined ? "nothing" : readShownState(text);
  const made = world.video.ledger.filter(
    (entry) => entry.write?.what === "video" && entry.fields["title"] === title,
  );
  const [video, ...others] = videosOf(world, title);
  const wanted = said === "published" ? 1 : 0;
  const [approval] = approvals;
  const findings: readonly (readonly [isBroken: boolean, words: string])[] = [
    [!isAtRest, `it never finishes: ${text}`],
    [made.length > 1 || others.length > 0, `the service created ${made.length} videos`],
    [own.length !== 1, `${own.length} messages of its own`],
    [approvals.length !== (asksApproval ? 1 : 0), `${approvals.length} messages for approvers`],
    [(video === undefined ? 0 : 1) !== wanted, `its message says ${said}: ${text}`],
    [
      said === "published" && !JSON.stringify(message?.components).includes(video?.id ?? "?"),
      "no link to it",
    ],
    [record?.state !== said, `its row says ${record?.state}, its message ${said}`],
    [record?.claimedUntilMs !== undefined, "it is still claimed"],
    [record?.fileUrl !== undefined && said === "published", "its row still has the link of the file"],
    [record?.videoId !== video?.id, `its row names another video: ${record?.videoId}`],
    [
      approval !== undefined && said === "published" && !textOf(approval).includes("Approved by"),
      `approvers read: ${approval && textOf(approval)}`,
    ],
  ];
  return findings.filter(([isBroken]) => isBroken).map(([, words]) => `${title} (${id}): ${words}`);
}
