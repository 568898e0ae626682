/** A file's name as it stands in a link; one with a stray per cent sign is taken as it is. */
export function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
