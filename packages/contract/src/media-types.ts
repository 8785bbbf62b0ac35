/** Types under which a file can be sent, with their names in sentences. */
export const MEDIA_NOUNS = {
  image: 'an image',
  video: 'a video',
  audio: 'an audio file',
  document: 'a document',
} as const;
export type MediaType = keyof typeof MEDIA_NOUNS;
export const MEDIA_TYPES = Object.keys(MEDIA_NOUNS) as MediaType[];
