// What a board picture shows: words and moods, already worked out. The view fills it, the painter draws it.
/** How loud something is said. The words say it too: colour is never alone. */
export type Mood = "plain" | "quiet" | "late" | "cancelled";

/** One service. Every text is shown as it stands, cut with an ellipsis where nothing else fits. */
export interface BoardPictureRow {
  /** Aimed time in the UK, e.g. `17:31`. */
  readonly time: string;
  /** Short weekday where it is not the day of the data, e.g. `Sun`. */
  readonly day: string | undefined;
  readonly place: string;
  /** e.g. `4`; `Bus` for a replacement bus. */
  readonly platform: string | undefined;
  /** e.g. `On time`, `17:38`, `Cancelled`. */
  readonly expected: string;
  /** Small, under the expectation, e.g. `7 min late`. */
  readonly remark: string | undefined;
  /** Small, under the place, e.g. `LNER`. */
  readonly detail: string | undefined;
  readonly mood: Mood;
}

export interface BoardPictureModel {
  readonly station: string;
  /** e.g. `Departures to Leeds`. */
  readonly subtitle: string;
  /** What else it is narrowed to, e.g. `LNER · platform 4`. */
  readonly filters: string | undefined;
  /** UK time of the data, e.g. `17:20`. */
  readonly clock: string;
  /** UK day of the data, e.g. `Sat 21 Nov`. */
  readonly day: string;
  /** Heading of the second column: `Destination` or `Origin`. */
  readonly placeHeading: string;
  readonly rows: readonly BoardPictureRow[];
  /** Lines in the middle of a board without rows; the first is the loud one. */
  readonly notice: readonly string[];
  /** e.g. `As of 17:20 UK time` and `source: transportapi.com`: left and right of the last line. */
  readonly footer: readonly [left: string, right: string];
}
