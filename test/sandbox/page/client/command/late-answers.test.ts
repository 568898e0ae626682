import { describe, expect, it } from "vitest";
import { createLateAnswers } from "../../../../../sandbox/page/client/command/late-answers.ts";

/** Answers that come when the test says so. */
function createQuestions() {
  const heard: string[] = [];
  const late = createLateAnswers<string>(
    (answer) => heard.push(answer),
    (error) => heard.push(`failed: ${String(error)}`),
  );
  const asked: string[] = [];
  const answers = new Map<string, PromiseWithResolvers<string>>();
  const ask = (text: string, pauseMs = 0) => {
    const answer = Promise.withResolvers<string>();
    answers.set(text, answer);
    late.ask(pauseMs, () => {
      asked.push(text);
      return answer.promise;
    });
  };
  return { heard, asked, late, ask, answerTo: (text: string) => answers.get(text) };
}

describe("questions while typing", () => {
  it("drop an older answer that comes after a newer one", async () => {
    const { heard, asked, ask, answerTo } = createQuestions();
    ask("y");
    await expect.poll(() => asked).toEqual(["y"]);
    ask("yo");
    await expect.poll(() => asked).toEqual(["y", "yo"]);
    answerTo("yo")?.resolve("York");
    await expect.poll(() => heard).toEqual(["York"]);
    answerTo("y")?.resolve("Yarm");
    await answerTo("y")?.promise;
    expect(heard).toEqual(["York"]);
  });

  it("drop an older failure too", async () => {
    const { heard, asked, ask, answerTo } = createQuestions();
    ask("y");
    await expect.poll(() => asked).toEqual(["y"]);
    ask("yo");
    answerTo("y")?.reject("lost");
    await expect.poll(() => asked).toEqual(["y", "yo"]);
    answerTo("yo")?.reject("away");
    await expect.poll(() => heard).toEqual(["failed: away"]);
  });

  it("are asked once for each pause", async () => {
    const { asked, ask } = createQuestions();
    for (const text of ["y", "yo", "yor", "york"]) {
      ask(text, 10);
    }
    await expect.poll(() => asked).toEqual(["york"]);
  });

  it("count no more once they are cancelled", async () => {
    const { heard, asked, late, ask, answerTo } = createQuestions();
    ask("y");
    await expect.poll(() => asked).toEqual(["y"]);
    late.cancel();
    answerTo("y")?.resolve("York");
    await answerTo("y")?.promise;
    expect(heard).toEqual([]);
  });
});
