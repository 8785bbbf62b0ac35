import { describe, expect, it } from 'vitest';
import { createSealedBox, systemRandom } from '#kernel';
import type { Harness } from './harness.ts';
import { openNotes, writeInReading } from './readings-of-notes.ts';
import { note, writeNote } from './write-commands.ts';

const masterKey = systemRandom.bytes(32);
const box = createSealedBox({ masterKeys: [masterKey], random: systemRandom });
const READINGS = {
  readingModules: [new URL('./readings-of-notes.ts', import.meta.url)],
  masterKeys: [masterKey],
};

function sealedNote(id: number, text: string) {
  return note(id, { bytes: box.seal(Buffer.from(text), `note ${id}`) });
}

export function describeReadings(harness: Harness): void {
  describe('readings', () => {
    it('see committed data, and open sealed values', async () => {
      const store = await harness.open(READINGS);
      await Promise.all([1, 2].map((id) => store.run(writeNote, sealedNote(id, `note ${id} 👋`))));
      expect(await store.ask(openNotes, [1, 2, 3])).toEqual([
        { id: 1, opened: 'note 1 👋' },
        { id: 2, opened: 'note 2 👋' },
      ]);
    });

    it('fail for their caller, and answer the next one', async () => {
      const store = await harness.open({ ...READINGS, masterKeys: [systemRandom.bytes(32)] });
      await store.run(writeNote, sealedNote(1, 'under another key'));
      await expect(store.ask(openNotes, [1])).rejects.toThrow('master key');
      expect(await store.ask(openNotes, [2])).toEqual([]);
    });

    it('never write', async () => {
      const store = await harness.open(READINGS);
      await expect(store.ask(writeInReading, 7)).rejects.toMatchObject({ code: 'read_only' });
      expect(await store.ask(openNotes, [7])).toEqual([]);
    });
  });
}
