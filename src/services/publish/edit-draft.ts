// Changes a draft by what was typed into its form. The form is gone by then, with all that stood in it.
import { UserError } from "../../core/errors.ts";
import type { Actor } from "../video-settings/video-settings.ts";
import type { Publication, PublicationTexts, Publish } from "./publish.ts";

/** A draft after its form. */
export interface EditedDraft {
  readonly draft: Publication;
  /** Why the time stayed as it was, in words for the person; `undefined` where all was taken. */
  readonly problem: string | undefined;
}

/** Keeps title and description where only the time cannot be. Throws as `Publish.edit` does for everything else. */
export async function editDraft(
  publish: Pick<Publish, "edit">,
  id: string,
  texts: PublicationTexts,
  by: Actor,
): Promise<EditedDraft> {
  try {
    return { draft: await publish.edit(id, texts, by), problem: undefined };
  } catch (error) {
    const { publishAt, ...others } = texts;
    if (!(error instanceof UserError) || publishAt === undefined) {
      throw error;
    }
    return { draft: await publish.edit(id, others, by), problem: error.message };
  }
}
