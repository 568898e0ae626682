// What a person can type after a command's name, and what `run` receives for it.
import type { Attachment, Services, Where } from "./context.ts";

/** What autocomplete is asked: the text so far and the other options as typed so far, unvalidated. */
export interface AutocompleteRequest<N extends keyof Services> {
  readonly text: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly where: Where;
  /** What this person chose lately for an option of this kind, the latest first. */
  readonly recent: readonly string[];
  readonly services: Pick<Services, N>;
}

export interface Suggestion {
  readonly name: string;
  readonly value: string;
}

/** A text alone is both name and value. */
export type Suggestions = readonly (Suggestion | string)[];

/** `thread`: of any kind, private ones and those of announcement channels too. */
export type ChannelType = "text" | "announcement" | "thread";

export type Option<N extends keyof Services = never> = {
  /** 1 to 100 characters. */
  readonly description: string;
  readonly required?: boolean;
} & (
  | {
      readonly type: "string";
      readonly choices?: readonly Suggestion[];
      /** At most 25 are sent. The text stays free: `run` validates it again. */
      readonly autocomplete?: (asked: AutocompleteRequest<N>) => Suggestions | Promise<Suggestions>;
      /** What is remembered for the person who chose it: under which name, and what of it, `undefined` for nothing. */
      readonly recall?: {
        readonly kind: string;
        readonly valueOf: (typed: {
          readonly text: string;
          readonly services: Pick<Services, N>;
        }) => string | undefined;
      };
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | { readonly type: "integer" | "number"; readonly min?: number; readonly max?: number }
  | { readonly type: "boolean" | "role" }
  | {
      readonly type: "attachment";
      /** Discord checks the name only, in the client: `image`, `video`, `audio` or an extension with its dot. */
      readonly fileTypes?: readonly string[];
    }
  | {
      readonly type: "channel";
      /** Default every kind. The client offers no others. */
      readonly channelTypes?: readonly ChannelType[];
    }
);

export type Options<N extends keyof Services = never> = Readonly<Record<string, Option<N>>>;

type ValueOf<O> = O extends {
  readonly type: "string";
  readonly choices: readonly { readonly value: infer V }[];
}
  ? V
  : O extends { readonly type: "string" }
    ? string
    : O extends { readonly type: "integer" | "number" }
      ? number
      : O extends { readonly type: "boolean" }
        ? boolean
        : O extends { readonly type: "attachment" }
          ? Attachment
          : O extends { readonly type: "role" }
            ? { readonly id: string; readonly name: string }
            : { readonly id: string; readonly name: string | undefined };

/** What `run` receives for a set of options: required drops `undefined`, choices become a union. */
export type Values<O> = {
  readonly [K in keyof O]: O[K] extends { readonly required: true }
    ? ValueOf<O[K]>
    : ValueOf<O[K]> | undefined;
};
