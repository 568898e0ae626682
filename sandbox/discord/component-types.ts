// Discord's numbers for component types, shared by the actors, the rules and the page; this file imports nothing.
// https://discord.com/developers/docs/components/reference#component-object-component-types

export const COMPONENT_TYPES = {
  actionRow: 1,
  button: 2,
  stringSelect: 3,
  textInput: 4,
  section: 9,
  textDisplay: 10,
  thumbnail: 11,
  mediaGallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
  fileUpload: 19,
} as const;
