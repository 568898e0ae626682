// What is answered to a picture on a bad day, although it was worked on.
import type { StyleTwist } from "./faults.ts";
import type { Jobs } from "./jobs.ts";
import type { Results } from "./results.ts";
import type { Result, Said } from "./shapes.ts";

export function answerTwisted(
  twist: StyleTwist,
  result: Result,
  { jobs, results, jobMs }: { readonly jobs: Jobs; readonly results: Results; readonly jobMs: number },
): Said {
  switch (twist) {
    case "filtered": {
      const base64 = Buffer.from(result.bytes).toString("base64");
      return { status: 200, body: { artifacts: [{ base64, finishReason: "CONTENT_FILTERED" }] } };
    }
    case "failed-job":
      return jobs.start("job", result, "failed", jobMs);
    case "endless-job":
      return jobs.start("job", result, "never", jobMs);
    case "no-picture":
      return { status: 200, body: { outcome: { colours: 12, mood: "bright" } } };
    case "text-result":
      return linkTo(results.addFalse("text"));
    case "huge-result":
      return linkTo(results.addFalse("huge"));
    case "redirected-result":
      return linkTo(results.addFalse("redirect"));
    case "private-result":
      return linkTo("http://127.0.0.1:1/result.jpg");
    case "metadata-result":
      return linkTo("http://169.254.169.254/latest/meta-data/result.jpg");
  }
}

function linkTo(url: string): Said {
  return { status: 200, body: { output_url: url } };
}
