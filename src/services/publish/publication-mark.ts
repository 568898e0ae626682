// The mark that the messages of a publication carry in all of their components. By it a message is found again after a
// crash or a lost answer.
import { parseComponentId } from "../../core/component-id.ts";

/** Which publication a message is of, and whether it is the one that asks for approval. */
export interface PublicationMark {
  readonly id: string;
  readonly forApprovers: boolean;
}

/** What a component carries in its args. */
export function formatPublicationMark({
  id,
  forApprovers,
}: PublicationMark): Readonly<Record<string, string>> {
  return forApprovers ? { p: id, a: "1" } : { p: id };
}

/** Whether a message with these components is the one that is meant. */
export function hasPublicationMark(
  componentIds: readonly string[],
  { id, forApprovers }: PublicationMark,
): boolean {
  return componentIds.some((componentId) => {
    const target = parseComponentId(componentId);
    const { p, a } = target?.args ?? {};
    return target?.command.startsWith("video/") === true && p === id && (a === "1") === forApprovers;
  });
}
