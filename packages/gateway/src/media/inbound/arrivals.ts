import { createHmac } from 'node:crypto';
import type { DataKeys } from '#accounts';
import { warnOf } from '#kernel';
import type { InboundMedia } from '#network';
import type { OwnedNumber } from '#platform/http';
import type { MediaLibrary, StoredInboundFile } from '../library.ts';
import type { MediaLinks } from '../links.ts';

/** How a file that came with a message is called in public. */
interface FileName {
  readonly id: string;
  readonly url?: string;
}

type Owner = Pick<OwnedNumber, 'accountId' | 'slotId' | 'phone'>;

/** Files that come with messages. */
export interface Arrivals {
  /** The same for the same event, however often it comes. */
  name(number: Owner, eventId: string): Promise<FileName>;
  /** From now on it can be asked for. `bytes`: the file itself, when it is at hand and to be kept. */
  note(number: Owner, arrived: NotedFile): Promise<void>;
}

interface NotedFile extends Pick<StoredInboundFile, 'id' | 'keptWith'> {
  readonly file: InboundMedia;
  readonly bytes?: Uint8Array;
}

const ID_DIGITS = 32;

export function createArrivals({
  library,
  links,
  dataKeys,
}: {
  library: Pick<MediaLibrary, 'note' | 'find' | 'fill'>;
  links: Pick<MediaLinks, 'urlOf'>;
  dataKeys: Pick<DataKeys, 'of'>;
}): Arrivals {
  async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    yield bytes;
  }

  return {
    async name({ accountId, slotId }, eventId) {
      const hmac = createHmac('sha256', await dataKeys.of(accountId)).update(`arrival ${slotId} ${eventId}`);
      const id = `med_${hmac.digest('hex').slice(0, ID_DIGITS)}`;
      const url = await links.urlOf(accountId, id);
      return { id, ...(url !== undefined && { url }) };
    },

    async note({ accountId, slotId, phone }, { bytes, ...arrived }) {
      await library.note({ accountId, phone }, { ...arrived, slotId });
      if (!bytes || !arrived.keptWith) return;
      try {
        const media = await library.find(accountId, arrived.id);
        if (media?.arrival?.isKept && media.objectId === '') await library.fill(media, once(bytes));
      } catch (error) {
        // The message must not wait for a store of files that is full or out of reach; the network has the file for a while.
        warnOf('could not keep a file that came with a message')(error);
      }
    },
  };
}
