// How much of something there is.

interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  /** What a screen reader says in place of the number. */
  readonly words: string;
  /** `progress` goes on by itself; of a `limit` the end is to be feared. */
  readonly kind: "progress" | "limit";
}

/** From here on a limit is near, and nearer. */
const NEAR = 0.8;
const REACHED = 0.97;

export function Meter({ label, value, most, words, kind }: MeterProps) {
  const share = most === 0 ? 1 : Math.min(1, value / most);
  const tone = kind === "limit" ? (share >= REACHED ? "alarm" : share >= NEAR ? "warning" : "") : "";
  return (
    <div
      class={`meter ${tone}`}
      role={kind === "limit" ? "meter" : "progressbar"}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuetext={words}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}
