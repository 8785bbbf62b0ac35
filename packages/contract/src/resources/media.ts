import Type from 'typebox';
import { UnixSeconds } from '../primitives.ts';
import { named } from '../schema.ts';

export const MediaUploaded = named('MediaUploaded', {
  media_id: Type.String({ description: 'What sends and pictures take.', examples: ['med_01jb2x9q4m'] }),
  mimetype: Type.String({ examples: ['image/jpeg'] }),
  size: Type.Integer({ description: 'Bytes.', examples: [48_213] }),
  sha256: Type.String({
    description: 'Of the bytes that arrived, in hex.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  expires_at_unix: UnixSeconds,
});
export type MediaUploaded = Type.Static<typeof MediaUploaded>;
