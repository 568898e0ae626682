// Which styles there are, as the operator's catalogue says. Without a catalogue the style is a free word.

/** One style. */
export interface Style {
  /** What the service calls it: a lower-case word. */
  readonly id: string;
  readonly label: string;
  /** e.g. `Painted`; styles of a group stand together. */
  readonly group: string | undefined;
  /** One sentence; empty where none is given. */
  readonly description: string;
  /** Other words that people may type. */
  readonly aliases: readonly string[];
}

/** How the service takes a strength: the name of its form field and the numbers that 0 % and 100 % stand for. */
export interface IntensityParameter {
  readonly name: string;
  /** The value for the original; greater than `full` where the service counts backwards. */
  readonly none: number;
  readonly full: number;
}

/** How the service takes a second style: the names of its form fields. */
export interface MixParameter {
  readonly style: string;
  /** The field for the second style's share; `undefined` where it is always half. */
  readonly share: { readonly name: string; readonly none: number; readonly full: number } | undefined;
}

/** What the service takes. */
export interface StyleLimits {
  readonly maxBytes: number;
  /** The longer side, in pixels. */
  readonly maxSide: number;
}

export interface Catalogue {
  /** Empty where the style is a free word. */
  readonly styles: readonly Style[];
  /** `undefined`: strength is blended here. */
  readonly intensity: IntensityParameter | undefined;
  /** `undefined`: two results are blended here. */
  readonly mix: MixParameter | undefined;
  readonly limits: StyleLimits;
}
