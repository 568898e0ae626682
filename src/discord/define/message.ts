// Messages and their files, as far as handlers need them.
/** A file that a message shows. The link is signed and dies: take the bytes at once. */
export interface Media {
  readonly name: string;
  readonly url: string;
  /** 0 where Discord does not say. */
  readonly sizeBytes: number;
  /** Guessed by Discord from the name. */
  readonly contentType: string | undefined;
  readonly spoiler: boolean;
  /** What it shows, in the words of its sender. */
  readonly description: string | undefined;
}

export interface Attachment extends Media {
  readonly id: string;
}

/** A message that a menu or a component stands on, or that somebody sent. */
export interface MessageReference {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly attachments: readonly Attachment[];
  /** All that it shows: attachments, pictures of embeds and of components, what it forwards. None stands there twice. */
  readonly media: readonly Media[];
}
