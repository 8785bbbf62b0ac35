import { INBOUND_MEDIA_MAX_BYTES } from '@parley/contract';
import { type Clock, createSemaphore, fault, settled, waitAtMost } from '#kernel';
import type { HostAction, HostedSession } from '#sessions';
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

/** Fetches the file of a message from the network into the library, beside the session that can: once, whoever asks how often. */
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
      if (!media.ref) throw fault('media_gone');
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
    name: 'media.fetch',
    async run({ session, number }, { mediaId }) {
      const media = await library.find(number.accountId, mediaId);
      if (media?.arrival?.slotId !== number.slotId) throw fault('media_not_found');
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
