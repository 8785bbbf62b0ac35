import { INBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { ApiError, apiError, apiErrorFrom, type Clock, createSemaphore, settled, waitAtMost } from '#kernel';
import { NetworkError } from '#network';
import type { MaybePromise, OwnedNumber } from '#platform/http';
import type { GetHost, HostAction, HostedSession } from '#sessions';
import type { Media, MediaLibrary } from '../library.ts';

interface Wanted {
  readonly mediaId: string;
}

/** `going`: not here yet; it comes, and may be asked for again. */
type FetchState = 'here' | 'going';

export type FetchAction = HostAction<Wanted, FetchState>;

/** Files on their way from the network, in one process. */
const AT_ONCE = 8;
/** So long an action waits for a file: others of the same number must not wait for it. */
const WAIT_MS = 500;
const FAILURE_KEPT_MS = 30_000;
/** The library has its own limit, and says so in words. */
const MORE_THAN_IS_TAKEN = INBOUND_MEDIA_MAX_BYTES + 1024 * 1024;

/** Fetches the file of a message from the network into the library, at the host of its session, once for all concurrent requests. */
export function createFetchAction({
  library,
  machineClock,
}: {
  library: Pick<MediaLibrary, 'find' | 'fill' | 'hold'>;
  machineClock: Pick<Clock, 'after'>;
}): FetchAction {
  const underWay = new Map<string, Promise<unknown>>();
  const places = createSemaphore(AT_ONCE);

  function begin(session: HostedSession['session'], media: Media): Promise<unknown> {
    const forget = (): void => {
      if (underWay.get(media.id) === work) underWay.delete(media.id);
    };
    const fill = async (): Promise<void> => {
      if (!media.ref) throw apiError('media_gone');
      const bytes = await session.stream(media.ref, { maxBytes: MORE_THAN_IS_TAKEN });
      await library.fill(media, bytes);
    };
    const work = places.run(fill).then(forget, (error: unknown) => {
      // A failure is kept for the next one who asks.
      machineClock.after(FAILURE_KEPT_MS, forget);
      throw error;
    });
    underWay.set(media.id, work);
    return work;
  }

  return {
    name: 'getMedia',
    async run({ session, number }, { mediaId }) {
      const media = await library.find(number.accountId, mediaId);
      if (media?.arrival?.slotId !== number.slotId) throw apiError('media_not_found');
      if (!underWay.has(mediaId) && (await library.hold(media))) return 'here';
      const fetched = underWay.get(mediaId) ?? begin(session, media);
      const isOver = await waitAtMost(machineClock, WAIT_MS, settled(fetched));
      if (!isOver) return 'going';
      try {
        await fetched;
        return 'here';
      } finally {
        underWay.delete(mediaId);
      }
    },
  };
}

/** Ensures that the bytes of a file are stored, from the network if necessary. Rejects with the API error to answer. */
export type ObtainMedia = (media: Media, signal?: AbortSignal) => Promise<Media>;

const ASK_AGAIN_MS = 500;

export function createObtainer({
  library,
  getHost,
  action,
  ownedNumber,
  machineClock,
}: {
  library: Pick<MediaLibrary, 'find' | 'hold'>;
  getHost: GetHost;
  action: FetchAction;
  ownedNumber: (accountId: string, phone: string) => MaybePromise<OwnedNumber | undefined>;
  machineClock: Pick<Clock, 'sleep'>;
}): ObtainMedia {
  async function fetch(number: OwnedNumber, mediaId: string, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      if (await isHere(number, mediaId)) return;
      await machineClock.sleep(ASK_AGAIN_MS);
    }
    throw apiError('shutting_down');
  }

  async function isHere(number: OwnedNumber, mediaId: string): Promise<boolean> {
    try {
      return (await getHost(number).run(action, { mediaId })) === 'here';
    } catch (error) {
      // Its turn comes: what runs for the number now ends within seconds.
      if (error instanceof ApiError && error.code === 'too_many_actions') return false;
      throw fetchError(error);
    }
  }

  return async (media, signal) => {
    const { id, accountId, phone, arrival } = media;
    // What was uploaded is here, or was lost.
    if (!arrival || (await library.hold(media))) return media;
    const number = phone === null ? undefined : await ownedNumber(accountId, phone);
    if (!number || number.slotId !== arrival.slotId) throw apiError('media_gone');
    await fetch(number, id, signal);
    const fetched = await library.find(accountId, id);
    if (!fetched) throw apiError('media_not_found');
    return fetched;
  };
}

function fetchError(error: unknown): unknown {
  if (error instanceof ApiError && error.code === 'session_not_hosted')
    return apiErrorFrom(error, 'media_offline');
  if (!(error instanceof NetworkError)) return error;
  return apiErrorFrom(error, error.kind === 'permanent' ? 'media_damaged' : 'media_gone');
}
