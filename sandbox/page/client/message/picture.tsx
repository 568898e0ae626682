// A picture that opens large.
interface PictureProps {
  readonly url: string;
  readonly description: string;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly onOpen: () => void;
}

export function Picture({ url, description, width, height, onOpen }: PictureProps) {
  return (
    <button
      type="button"
      class="picture"
      aria-haspopup="dialog"
      title={description || undefined}
      onClick={onOpen}
    >
      <img
        src={url}
        alt={description || "A picture without a description"}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
      />
    </button>
  );
}
