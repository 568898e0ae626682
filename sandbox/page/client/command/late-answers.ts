// Questions after each pause in typing, of which only the last one's answer counts.

export interface LateAnswers<T> {
  /** Asks after the pause, unless something else is asked before. */
  ask(pauseMs: number, question: () => Promise<T>): void;
  /** Nothing that is still to come counts any more. */
  cancel(): void;
}

/** `onAnswer` hears the newest question's answer only, `onFailure` its failure: an older answer that comes late is dropped. */
export function createLateAnswers<T>(
  onAnswer: (answer: T) => void,
  onFailure: (error: unknown) => void,
): LateAnswers<T> {
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    last += 1;
    clearTimeout(timer);
  };
  return {
    cancel,
    ask(pauseMs, question) {
      cancel();
      const mine = last;
      const whenNewest =
        <V>(hear: (value: V) => void) =>
        (value: V) => {
          if (mine === last) {
            hear(value);
          }
        };
      timer = setTimeout(() => {
        question().then(whenNewest(onAnswer), whenNewest(onFailure));
      }, pauseMs);
    },
  };
}
