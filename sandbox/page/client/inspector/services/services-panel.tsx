// The stand-ins of the three services, one at a time.
import { Segments } from "../../kit/segments.tsx";
import { remembered } from "../../state/remembered.ts";
import { StyleService } from "./style-service.tsx";
import { TransportService } from "./transport-service.tsx";
import { VideoService } from "./video-service.tsx";

const SERVICES = ["transport", "style", "video"] as const;

const opened = remembered("inspector-service", SERVICES);

const BODIES = { transport: TransportService, style: StyleService, video: VideoService } as const;

export function ServicesPanel() {
  const Body = BODIES[opened.value];
  return (
    <div class="panel">
      <Segments
        title="Service"
        chosen={opened.value}
        choices={[
          { value: "transport", words: "Transport", icon: "train" },
          { value: "style", words: "Style", icon: "picture" },
          { value: "video", words: "Video", icon: "film" },
        ]}
        onChoose={(service) => {
          opened.value = service;
        }}
      />
      <Body />
    </div>
  );
}
