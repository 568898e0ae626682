// Everything that asks the style service.
import { createStyleClient } from "../clients/style/client.ts";
import type { StyleConfig } from "../core/config.ts";
import type { Platform } from "../core/platform.ts";
import type { StylePreviewsTable } from "../storage/style-previews-table.ts";
import { createPictureTools } from "../render/create-picture-tools.ts";
import { drawSamplePicture } from "../render/sample-picture.ts";
import { createAttachmentFetcher } from "../services/attachments/fetch-attachment.ts";
import { createGallery } from "../services/restyle/create-gallery.ts";
import { createRestyle, SERVICE_LINE } from "../services/restyle/create-restyle.ts";
import { createLine } from "../services/restyle/line.ts";
import { createPaint } from "../services/restyle/paint.ts";
import { readCatalogue } from "../services/restyle/read-catalogue.ts";

/** What the style services stand on. */
export interface ComposePicturesOptions extends Platform {
  readonly settings: StyleConfig;
  readonly database: { readonly stylePreviews: StylePreviewsTable };
}

/** Sends nothing: services do so when they are asked. Throws ConfigError for a catalogue that cannot be used. */
export function composePictures(options: ComposePicturesOptions) {
  const { settings, config, database, http, clock, log } = options;
  const { baseUrl, apiKey } = settings;
  const catalogue = readCatalogue(settings.catalogue);
  const tools = createPictureTools({ clock });
  const style = createStyleClient({ baseUrl, apiKey, http, clock, log });
  const paint = createPaint({ style, catalogue, tools });
  const line = createLine(SERVICE_LINE);
  const attachments = createAttachmentFetcher({ http, hosts: config.discord.cdnHosts });
  return {
    services: {
      restyle: createRestyle({ catalogue, paint, tools, attachments, line, clock }),
      styleGallery: createGallery({
        catalogue,
        paint,
        tools,
        line,
        table: database.stylePreviews,
        drawSample: drawSamplePicture,
        origin: baseUrl.href,
        clock,
        log,
      }),
    },
    close: () => tools.close(),
  };
}
