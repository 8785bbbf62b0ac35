import { operations } from '@parley/contract';
import { type Caller, type Route, serve } from '#http';
import { fault } from '#kernel';
import { answerFile } from './answer.ts';
import { isStored, type Media, type MediaLibrary } from './library.ts';
import type { TakeUpload } from './upload.ts';

interface MediaContext {
  readonly library: MediaLibrary;
  readonly takeUpload: TakeUpload;
}

export function mediaRoutes({ library, takeUpload }: MediaContext): Route[] {
  return [
    serve(operations.uploadMedia, async ({ caller, body, header }) => {
      const { id, mimetype, size, sha256, expiresAt } = await takeUpload(caller, { body, header });
      return { media_id: id, mimetype, size, sha256, expires_at_unix: Math.floor(expiresAt / 1_000) };
    }),
    serve(operations.getMedia, async (call) => {
      const media = await mediaFor(library, call.caller, call.params.id);
      if (!isStored(media)) throw fault('media_gone');
      return answerFile(library, media, call) as never;
    }),
  ];
}

/** What is another account's is not there; of what is the account's own, a key for one number has what is that number's. */
async function mediaFor(library: MediaLibrary, caller: Caller, id: string): Promise<Media> {
  const media = await library.find(caller.accountId, id);
  if (!media) throw fault('media_not_found');
  if (caller.phone !== null && media.phone !== caller.phone) throw fault('key_restricted');
  return media;
}
