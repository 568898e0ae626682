import { createStyleClient } from "./client/style-client.ts";
import type { StyleConfig } from "../core/config.ts";
import type { Budget } from "../plan/budget.ts";
import type { Platform } from "../core/ports.ts";
import type { StylePreviewsTable } from "./style-previews-table.ts";
import type { PictureProcessOptions } from "../render/picture-process.ts";
import { createPictureTools } from "../render/picture-tools.ts";
import { readSamplePicture, createGallery } from "./gallery.ts";
import { createAttachments } from "../core/attachments.ts";
import { createRestyle } from "./restyle.ts";
import { SERVICE_QUEUE, createQueue } from "./queue.ts";
import { createApplyStyle } from "./apply-style.ts";
import { readCatalogue } from "./catalogue.ts";

/** Sends no request yet. Throws a ConfigError for an invalid catalogue. */
export function composePictures(
  options: Platform &
    PictureProcessOptions & {
      readonly settings: StyleConfig;
      readonly budget: Budget | undefined;
      readonly database: { readonly stylePreviews: StylePreviewsTable };
    },
) {
  const { settings, budget, config, database, http, clock, log, meter } = options;
  const { baseUrl, apiKey } = settings;
  const catalogue = readCatalogue(settings.catalogue);
  const tools = createPictureTools(options);
  const style = createStyleClient({
    baseUrl,
    apiKey,
    places: catalogue.answer,
    spend: budget && (() => budget.take("person")),
    http,
    clock,
    log,
  });
  const applyStyle = createApplyStyle({ style, catalogue, tools });
  const queue = createQueue(SERVICE_QUEUE);
  meter.gauges(() => {
    const { waiting, underWay } = queue.state();
    return {
      picture_queue: [
        [{ state: "waiting" }, waiting],
        [{ state: "under_way" }, underWay],
      ],
    };
  });
  const attachments = createAttachments({ http, hosts: config.discord.cdnHosts, clock });
  const stopping = new AbortController();
  const shared = { catalogue, applyStyle, tools, queue, stopping: stopping.signal, clock };
  return {
    services: {
      restyle: createRestyle({ ...shared, attachments }),
      styleGallery: createGallery({
        ...shared,
        table: database.stylePreviews,
        readSample: readSamplePicture,
        origin: baseUrl.href,
        log,
      }),
    },
    refusal: style.refusal,
    /** Nothing more is asked of the service. Results that have arrived are still sent. */
    endAnswers: () => stopping.abort(),
    close: () => tools.close(),
  };
}
