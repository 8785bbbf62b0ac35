import { buffer } from 'node:stream/consumers';
import { createArrivals } from '../inbound/arrivals.ts';
import type { Media } from '../library.ts';
import { createMediaLinks } from '../links.ts';
import type { MediaStage } from './stage.ts';

const ADA = '15550002001@s.whatsapp.net';
export const NUMBER = { accountId: 'ada', slotId: 'slot_1', phone: '15550001001', plan: 'max' } as const;
const FILE = { ref: { kind: 'image', token: 't' }, mimetype: 'image/png', size: 5 } as const;

/** Files that came with messages of one number, on a stage. */
export function createArrivedFiles(stage: MediaStage) {
  const links = createMediaLinks({ ...stage, publicUrl: () => undefined });
  const arrivals = createArrivals({ ...stage, links });
  let events = 0;

  async function found(id: string): Promise<Media> {
    const media = await stage.library.find('ada', id);
    if (!media) throw new Error(`there is no ${id}`);
    return media;
  }

  return {
    links,
    arrivals,
    found,
    /** A file that has just been noted, and its message again. */
    async noted(keptIn?: string, bytes?: Uint8Array): Promise<Media> {
      const event = `message/${ADA}/M${++events}`;
      const { id } = await arrivals.name(NUMBER, event);
      const keptWith =
        keptIn === undefined ? {} : { keptWith: { historyId: keptIn, chat: ADA, messageId: event } };
      const arrived = { id, file: FILE, ...keptWith, ...(bytes && { bytes }) };
      await arrivals.note(NUMBER, arrived);
      await arrivals.note(NUMBER, arrived);
      return found(id);
    },
    read: async (media: Media) => buffer(await stage.library.read(media, { from: 0, to: media.size })),
  };
}

export type ArrivedFiles = ReturnType<typeof createArrivedFiles>;
