// The route for uploads: a single form, or a session in several phases, at the same path.
import { createHash } from "node:crypto";
import { Hono } from "hono";
import type { GraphCall, VideoContext, VideoEnv } from "../context.ts";
import type { Page, ReceivedFile, Session } from "../entities.ts";
import { gone, GraphError, wrongParameter } from "../graph-error.ts";
import { checkPermission } from "../caller.ts";
import { isSessionOver } from "../progress.ts";
import { MAX_STORED_BYTES } from "../received-file.ts";
import { checkFileName, checkTexts, readPublication } from "../rules.ts";

export function createUploads(standIn: VideoContext): Hono<VideoEnv> {
  const { clock, store, settings } = standIn;

  function pageOf({ caller }: GraphCall, target: string): Page {
    const page = store.findPage(target === "me" ? caller.ownerId : target);
    if (caller.kind !== "page") {
      throw new GraphError(
        200,
        "(#200) This endpoint is deprecated since the required permission publish_actions is deprecated",
      );
    }
    if (page === undefined || page.id !== caller.ownerId) {
      throw gone(target, "post");
    }
    checkPermission(caller, "pages_manage_posts");
    return page;
  }

  function makeVideo(call: GraphCall, page: Page, id: string, file: ReceivedFile): void {
    const { fields } = call.form;
    const nowMs = clock.now();
    const { isForPublic, publishAtMs } = readPublication(fields, nowMs);
    checkTexts(fields["title"], fields["description"]);
    const end =
      call.alteration === "stuck"
        ? "never"
        : call.alteration === "failed"
          ? "failed"
          : settings.processingEnd;
    store.videos.set(id, {
      id,
      pageId: page.id,
      postId: store.nextId(),
      file,
      title: fields["title"] ?? "",
      description: fields["description"] ?? "",
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      isForPublic,
      publishAtMs,
      processing: { startedAtMs: nowMs, durationMs: settings.processingMs, end },
    });
    call.recordWrite({ what: "video", id });
  }

  function checkSize(sizeBytes: number): void {
    if (sizeBytes < settings.smallestBytes) {
      throw new GraphError(6000, "The file is too small", { subcode: 1363022 });
    }
    if (sizeBytes > settings.largestBytes) {
      throw new GraphError(6000, "The file is too large", { subcode: 1363023 });
    }
  }

  function simple(call: GraphCall, page: Page): object {
    const { fields, files } = call.form;
    const file = files["source"];
    if (fields["file_url"] !== undefined) {
      throw new GraphError(389, "Unable to fetch video file from URL.");
    }
    if (file === undefined) {
      throw new GraphError(100, "(#100) No video file was given", { subcode: 1363026 });
    }
    checkFileName(file.name);
    checkSize(file.sizeBytes);
    const id = store.nextId();
    makeVideo(call, page, id, file);
    return call.alteration === "no-id" ? { success: true } : { id };
  }

  function start(call: GraphCall, page: Page): object {
    const sizeBytes = Number(call.form.fields["file_size"]);
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes <= 0) {
      throw wrongParameter("The parameter file_size is required");
    }
    checkSize(sizeBytes);
    const session: Session = {
      id: store.nextId(),
      videoId: store.nextId(),
      pageId: page.id,
      sizeBytes,
      startedAtMs: clock.now(),
      receivedBytes: 0,
      endByte: 0,
      hash: createHash("sha256"),
      unhashed: [],
      chunks: [],
      name: "",
      contentType: "",
    };
    store.sessions.set(session.id, session);
    call.recordWrite({ what: "session", id: session.id });
    openWindow(session);
    return { upload_session_id: session.id, video_id: session.videoId, ...formatWindow(session) };
  }

  function openWindow(session: Session): void {
    const { receivedBytes, sizeBytes } = session;
    session.endByte = Math.min(sizeBytes, receivedBytes + Math.max(1, settings.windowBytes(receivedBytes)));
  }

  function findSession({ form }: GraphCall, page: Page): Session {
    const session = store.sessions.get(form.fields["upload_session_id"] ?? "");
    if (session === undefined || session.pageId !== page.id || isSessionOver(session, clock.now())) {
      throw new GraphError(6001, "There was a problem uploading your video", { subcode: 1363020 });
    }
    return session;
  }

  function transfer(call: GraphCall, page: Page): object {
    const session = findSession(call, page);
    const { fields, files } = call.form;
    const chunk = files["video_file_chunk"];
    if (chunk === undefined || chunk.sizeBytes === 0) {
      throw wrongParameter("The parameter video_file_chunk is required");
    }
    if (Number(fields["start_offset"]) !== session.receivedBytes || call.alteration === "offset") {
      throw wrongOffset(session);
    }
    if (chunk.sizeBytes > session.endByte - session.receivedBytes || chunk.sizeBytes > MAX_STORED_BYTES) {
      throw wrongParameter("The chunk is larger than what was asked for");
    }
    checkFileName(chunk.name);
    const taken = call.alteration === "half" ? Math.ceil(chunk.sizeBytes / 2) : chunk.sizeBytes;
    const chunks = taken < chunk.sizeBytes ? [Buffer.concat(chunk.chunks, taken)] : chunk.chunks;
    session.unhashed.push(...chunks);
    // Hashes after the answer is sent, so that the client does not wait for it.
    setImmediate(hashPieces, session);
    session.receivedBytes += taken;
    if (session.sizeBytes <= MAX_STORED_BYTES) {
      session.chunks.push(...chunks);
    }
    session.name = chunk.name;
    session.contentType = chunk.contentType;
    openWindow(session);
    call.recordWrite({ what: "piece", id: session.id });
    if (taken < chunk.sizeBytes) {
      throw wrongOffset(session);
    }
    return formatWindow(session);
  }

  function finish(call: GraphCall, page: Page): object {
    const session = findSession(call, page);
    const { sizeBytes, receivedBytes, hash, name, contentType, chunks } = session;
    if (receivedBytes !== sizeBytes) {
      throw new GraphError(6000, "The file does not have the announced size", { subcode: 1363045 });
    }
    hashPieces(session);
    // A copy, so that the session stays usable if `makeVideo` refuses the request.
    const sha256 = hash.copy().digest("hex");
    makeVideo(call, page, session.videoId, { name, contentType, sizeBytes, sha256, chunks });
    store.sessions.delete(session.id);
    return { success: call.alteration !== "success-false" };
  }

  function cancel(call: GraphCall, page: Page): object {
    const session = findSession(call, page);
    store.sessions.delete(session.id);
    call.recordWrite({ what: "removal", id: session.id });
    return { success: true };
  }

  return new Hono<VideoEnv>().post("/:target/videos", (request) => {
    const call = request.get("call");
    const page = pageOf(call, request.req.param("target"));
    const phase = call.form.fields["upload_phase"] ?? request.req.query("upload_phase");
    if (phase !== undefined && call.form.fields["file_url"] !== undefined) {
      throw wrongParameter("file_url cannot be used with upload_phase");
    }
    switch (phase) {
      case undefined:
        return request.json(simple(call, page));
      case "start":
        return request.json(start(call, page));
      case "transfer":
        return request.json(transfer(call, page));
      case "finish":
        return request.json(finish(call, page));
      case "cancel":
        return request.json(cancel(call, page));
      default:
        throw wrongParameter("Invalid upload_phase");
    }
  });
}

function hashPieces({ hash, unhashed }: Session): void {
  for (const bytes of unhashed.splice(0)) {
    hash.update(bytes);
  }
}

/** The service sends these numbers as texts. */
function formatWindow({ receivedBytes, endByte }: Session) {
  return { start_offset: String(receivedBytes), end_offset: String(endByte) };
}

/** The error that says where to continue. Its offsets are numbers or texts, as at the real service. */
function wrongOffset(session: Session): GraphError {
  const { receivedBytes, endByte } = session;
  const data =
    Number(session.id.at(-1)) % 2 === 0
      ? { start_offset: receivedBytes, end_offset: endByte }
      : formatWindow(session);
  return new GraphError(6001, "There was a problem uploading your video. Please try again", {
    subcode: 1363037,
    isTransient: false,
    data,
  });
}
