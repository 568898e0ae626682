// The inspector's left edge: dragged, or moved by the arrow keys, it gives the panels more room.
import { inspectorWidth, setInspectorWidth, WIDTH } from "./inspector-state.ts";

/** Of one press of an arrow key, in rem. */
const STEP = 1;

export function ResizeHandle() {
  return (
    <div
      class="resize-handle"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the inspector"
      aria-valuenow={inspectorWidth.value}
      aria-valuemin={WIDTH.least}
      aria-valuemax={WIDTH.most}
      tabIndex={0}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientX }) => {
        if (currentTarget.hasPointerCapture(pointerId)) {
          setInspectorWidth((document.documentElement.clientWidth - clientX) / remPixels());
        }
      }}
      onDblClick={() => setInspectorWidth(WIDTH.first)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by !== undefined) {
          event.preventDefault();
          setInspectorWidth(inspectorWidth.value + by);
        }
      }}
    />
  );
}

function remPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
