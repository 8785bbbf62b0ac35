import { operations } from '@parley/contract';
import { type Route, serve } from '#http';
import type { MediaAccess } from './access.ts';
import { answerFile } from './answer.ts';
import type { MediaLibrary } from './library.ts';
import type { TakeUpload } from './upload.ts';

interface MediaContext {
  readonly library: MediaLibrary;
  readonly access: MediaAccess;
  readonly takeUpload: TakeUpload;
}

export function mediaRoutes({ library, access, takeUpload }: MediaContext): Route[] {
  return [
    serve(operations.uploadMedia, async ({ caller, body, header }) => {
      const { id, mimetype, size, sha256, expiresAt } = await takeUpload(caller, { body, header });
      return { media_id: id, mimetype, size, sha256, expires_at_unix: Math.floor(expiresAt / 1_000) };
    }),
    serve(operations.getMedia, async (call) =>
      answerFile(library, await access.find(call.caller, call.params.id), call),
    ),
  ];
}
