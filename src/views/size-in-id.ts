/** How many characters a text takes in a component's id: letters outside ASCII take three to twelve. */
export function sizeInId(text: string): number {
  return new URLSearchParams({ x: text }).toString().length - "x=".length;
}
