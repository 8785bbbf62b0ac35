import { createHmac, timingSafeEqual } from 'node:crypto';
import { MEDIA_LINK_HOURS } from '@parley/contract';
import type { DataKeys } from '#accounts';
import { apiError, type Clock } from '#kernel';
import type { Media } from './library.ts';

/** Signed links, each of which opens one file for a limited time. */
export interface MediaLinks {
  /** Undefined while the public address of the gateway is unknown. */
  urlOf(accountId: string, mediaId: string, origin?: string): Promise<string | undefined>;
  /** Throws the API error to answer unless the link was signed here for this file and has not expired. */
  check(media: Media | undefined, link: { expires: number; signature: string }): Promise<Media>;
}

const LASTS_SECONDS = MEDIA_LINK_HOURS * 3_600;

export function createMediaLinks({
  dataKeys,
  clock,
  publicUrl,
}: {
  dataKeys: Pick<DataKeys, 'of'>;
  clock: Pick<Clock, 'now'>;
  /** The address of the gateway, as far as it knows it without being asked under it. */
  publicUrl: () => string | undefined;
}): MediaLinks {
  const now = (): number => Math.floor(clock.now() / 1_000);

  /** With the account's own key: what one account was given opens nothing of another. */
  async function sign(accountId: string, mediaId: string, expires: number): Promise<Buffer> {
    return createHmac('sha256', await dataKeys.of(accountId))
      .update(`media link ${mediaId} ${expires}`)
      .digest();
  }

  return {
    async urlOf(accountId, mediaId, origin) {
      const base = publicUrl() ?? origin;
      if (base === undefined) return undefined;
      const expires = now() + LASTS_SECONDS;
      const signature = await sign(accountId, mediaId, expires);
      const url = new URL(`/v1/media/${encodeURIComponent(mediaId)}/file`, base);
      url.search = `expires=${expires}&signature=${signature.toString('base64url')}`;
      return url.href;
    },

    async check(media, { expires, signature }) {
      // What there is no file of is answered like what was never signed: a link says nothing to those who made it up.
      if (!media) throw apiError('media_link_invalid');
      const right = await sign(media.accountId, media.id, expires);
      const given = Buffer.from(signature, 'base64url');
      if (given.length !== right.length || !timingSafeEqual(given, right))
        throw apiError('media_link_invalid');
      if (expires <= now()) throw apiError('media_link_expired');
      return media;
    },
  };
}
