import { operations } from '@parley/contract';
import { type Caller, type Route, serve } from '#http';
import { fault } from '#kernel';
import type { MediaAccess } from './access.ts';
import { answerFile, type FileCall } from './answer.ts';
import type { ObtainMedia } from './inbound/obtain.ts';
import type { Media, MediaLibrary } from './library.ts';
import type { MediaLinks } from './links.ts';
import type { TakeUpload } from './upload.ts';

interface MediaContext {
  readonly library: MediaLibrary;
  readonly access: MediaAccess;
  readonly obtain: ObtainMedia;
  readonly links: Pick<MediaLinks, 'check'>;
  /** Why an account may do nothing at the moment; null: it may. */
  readonly blocked: (accountId: string) => Promise<Caller['blocked']>;
  readonly takeUpload: TakeUpload;
}

export function mediaRoutes({ library, access, obtain, links, blocked, takeUpload }: MediaContext): Route[] {
  const answer = async (media: Media, call: FileCall) =>
    answerFile(library, await obtain(media, call.signal), call);

  return [
    serve(operations.uploadMedia, async ({ caller, body, header }) => {
      const { id, mimetype, size, sha256, expiresAt } = await takeUpload(caller, { body, header });
      return { media_id: id, mimetype, size, sha256, expires_at_unix: Math.floor(expiresAt / 1_000) };
    }),
    serve(operations.getMedia, async (call) => answer(await access.find(call.caller, call.params.id), call)),
    serve(operations.getSignedMedia, async (call) => {
      const media = await links.check(await library.findAnybodys(call.params.id), call.query);
      const reason = await blocked(media.accountId);
      if (reason) throw fault(reason);
      return answer(media, call);
    }),
  ];
}
