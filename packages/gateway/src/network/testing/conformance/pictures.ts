/** One pixel: the smallest picture that a decoding driver accepts. */
export const TINY_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4YSMCAALoARnLml0SAAAAAElFTkSuQmCC',
  'base64',
);
