import { startStandIn, type StandInOptions } from "../http/stand-in.ts";
import { createApp } from "./app.ts";
import { DEFAULT_SETTINGS, type VideoSettings } from "./context.ts";
import type { Comment, Session, Video } from "./entities.ts";
import { createVideoFaults, type VideoFaults } from "./faults.ts";
import type { LedgerEntry } from "./ledger.ts";
import { faultPathOf } from "./phase.ts";
import { createSimpleUploads } from "./simple-uploads.ts";
import { createStore, PAGES } from "./store.ts";
import { addKnownTokens, addToken, APP_SECRET, type NewToken } from "./tokens.ts";

export interface VideoStandInOptions extends StandInOptions, Partial<VideoSettings> {}

export type VideoStandIn = Awaited<ReturnType<typeof startVideoStandIn>>;

const [FIRST, SECOND] = PAGES;

/** Starts listening on 127.0.0.1. Its settings may be changed while it runs; `baseUrl` does not include the version. */
export async function startVideoStandIn(options: VideoStandInOptions) {
  const { clock, ...chosen } = options;
  const settings: VideoSettings = {
    ...DEFAULT_SETTINGS,
    processingEnd: "ready",
    retiredMetrics: new Set(),
    ...chosen,
  };
  const store = createStore();
  const tokens = addKnownTokens(store);
  const simpleUploads = createSimpleUploads(clock);
  let people = 0;

  const standIn = await startStandIn<LedgerEntry, VideoFaults>(options, {
    name: "video",
    createFaults: createVideoFaults,
    createApp: (server) => createApp({ ...server, clock, store, settings }),
    async receive(request, response) {
      const arrived = simpleUploads.measure(request, response);
      const path = await faultPathOf(request);
      if (path.endsWith("/videos/simple")) {
        simpleUploads.begin(arrived, response);
      }
      return { path, hasProof: false, fields: {} };
    },
  });

  // The app reads the same object, so a change of a setting takes effect at once.
  return Object.assign(settings, {
    ...standIn,
    version: "v26.0",
    appSecret: APP_SECRET,
    tokens,
    pageId: FIRST.id,
    secondPageId: SECOND.id,
    videos: (): readonly Video[] => [...store.videos.values()],
    sessions: (): readonly Session[] => [...store.sessions.values()],
    /** Uploads in a single form that are arriving. */
    simpleUploads: simpleUploads.list,
    comments: (): readonly Comment[] => [...store.comments.values()],
    /** Issues a token, or issues an existing one again. */
    addToken: (token: NewToken) => addToken(store, token),
    /** Makes a token invalid, by default because it has expired (463). */
    invalidateToken(value: string, because = 463) {
      const token = store.tokens.get(value);
      if (token) {
        token.errorSubcode = because;
      }
    },
    /** Adds a comment on a video or a reply to a comment, and returns its id. Without a name, the author's is withheld. */
    say(aboutId: string, message: string, name?: string) {
      const parent = store.comments.get(aboutId);
      const video = store.videos.get(parent?.videoId ?? aboutId);
      if (video === undefined) {
        throw new Error(`There is no video or comment ${aboutId}`);
      }
      people += 1;
      const author = { id: `42${people}`, name };
      return store.addComment(video, parent, { author, message, createdAtMs: clock.now() });
    },
  });
}
