import { expect, it } from "vitest";
import type { Services } from "../../../sandbox/control/api/services.ts";
import { openWorld, type World } from "../../../sandbox/world.ts";
import { openControl } from "./ask-control.ts";

const BOARD = "/v3/uk/train/station/YRK/live.json";

function askTransport({ transport }: World, path = BOARD): Promise<Response> {
  const query = `app_id=${transport.appId}&app_key=${transport.appKey}`;
  return fetch(`${transport.baseUrl}${path}?${query}`);
}

async function publish({ video }: World, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = new FormData();
  form.set("title", "Opening day");
  form.set("source", new File([bytes], "a.mp4", { type: "video/mp4" }));
  const answer = await fetch(`${video.baseUrl}/v26.0/me/videos`, {
    method: "POST",
    headers: { authorization: `Bearer ${video.tokens.page}` },
    body: form,
  });
  // The stand-in's answer has this type.
  return ((await answer.json()) as { id: string }).id;
}

it("the services' calls are shown without keys", async () => {
  await using world = await openWorld({ bot: "none" });
  await using control = await openControl(world);
  world.transport.faults.add({ path: /./, do: "used-up" });
  await askTransport(world);
  await askTransport(world);
  // The second call is recorded as answered slightly after its answer has arrived.
  const read = () => control.get<Services>("/services");
  await expect.poll(async () => (await read()).calls.map(({ status }) => status)).toEqual([403, 200]);
  const { RAIL_DATA_DEPARTURES_URL: url, RAIL_DATA_DEPARTURES_KEY: key = "" } = world.railData.env;
  await fetch(`${url}/GetDepartureBoard/YRK`, { headers: { "user-agent": "test", "x-apikey": key } });
  await fetch(`${world.tfl.baseUrl}/Line/Mode/dlr/Status?app_key=${world.tfl.env["TFL_APP_KEY"]}`, {
    headers: { "user-agent": "test" },
  });
  await expect
    .poll(async () => (await read()).calls.slice(-2))
    .toMatchObject([
      { service: "rail-data", status: 200 },
      { service: "tfl", status: 200, path: "/Line/Mode/dlr/Status" },
    ]);
  const ledger = await read();
  expect(ledger.calls).toMatchObject([
    { method: "GET", path: BOARD, status: 403, fault: "used-up" },
    { status: 200, fault: null, tookMs: expect.any(Number) },
    { service: "rail-data" },
    { service: "tfl" },
  ]);
  expect(JSON.stringify(ledger)).not.toContain(world.transport.appKey);
  expect(JSON.stringify(ledger)).not.toContain(key);
});

it("a video's state is shown, and the page can play it and post comments on it", async () => {
  await using world = await openWorld({ bot: "none" });
  await using control = await openControl(world);
  const bytes = crypto.getRandomValues(new Uint8Array(5_000));
  const id = await publish(world, bytes);
  const before = await control.get<Services>("/services");
  expect(before.videos).toMatchObject([
    { id, title: "Opening day", page: "Signal Hall", status: "processing", percent: 0, mediaUrl: null },
  ]);
  expect((await control.raw(`/services/media/${id}`)).status).toBe(404);
  expect(before.calls).toMatchObject([{ service: "video", status: 200 }]);

  await world.clock.advance(8_000);
  const said = await control.post<Services>("/services/comments", {
    aboutId: id,
    message: "Nice",
  });
  const [video] = said.videos;
  expect(video).toMatchObject({
    status: "ready",
    publishing: "published",
    comments: [{ author: null, message: "Nice", isByPage: false, isHidden: false, parentId: null }],
  });
  const played = await control.raw(`/${video?.mediaUrl?.replace("_sandbox/", "")}`, {
    headers: { range: "bytes=10-" },
  });
  expect([played.status, played.headers.get("content-type")]).toEqual([206, "video/mp4"]);
  expect(new Uint8Array(await played.arrayBuffer())).toEqual(bytes.slice(10));
  await expect(control.post("/services/comments", { aboutId: "1", message: "?" })).rejects.toThrow(
    "no video",
  );
});
