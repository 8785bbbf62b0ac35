import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDataKeys } from '#accounts';
import { createHarness as createBillingHarness } from '#billing/testing';
import { createLocalBus } from '#bus';
import { createEventLog } from '#event-log';
import { createHistories } from '#history';
import type { OwnedNumber } from '#http';
import { createSealedBox, createSystemClock } from '#kernel';
import { createMediaLibrary, type MediaStore } from '#media';
import type { Store } from '#store';
import type { EraseContext } from '../deletion/erase.ts';
import type { ExportContext } from '../export/export.ts';

/** What a store must know for the tests of this room. */
export const commandModules = ['messages', 'health', 'event-log', 'history'].map(
  (room) => new URL(`../../${room}/write-commands.ts`, import.meta.url),
);

/** The room as a test uses it: on a clock of its own, with a network that only notes what is unlinked. */
export function createHarness({ store }: { store: Store }) {
  const billing = createBillingHarness({ store });
  const { clock, ids, random, urlRules } = billing;
  const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random });
  const bus = createLocalBus({ clock: createSystemClock() });
  const keys = createDataKeys({ store, sealedBox, random, clock });
  const unexpected = { debug() {}, error: (details: object) => console.error(details) };
  const histories = createHistories({ store, bus, keys, clock, log: unexpected });
  const links = { urlOf: async (...of: unknown[]) => of.join(' ') };
  const unlinked: string[] = [];
  const blobs = createMemoryBlobs();
  const incoming = mkdtempSync(path.join(tmpdir(), 'parley-life-'));
  const library = createMediaLibrary({ store, blobs, dataKeys: keys, clock, random, ids, incoming });
  const life: ExportContext & EraseContext = {
    ...{ library, dataKeys: keys, sealedBox, machineClock: clock, blobs },
    ...{ store, clock, ids, random, billing },
    linking: {
      endAll: async ({ slotId }: OwnedNumber) => {
        unlinked.push(slotId);
      },
    },
    events: createEventLog({ store, bus, sealedBox, clock }),
    webhooks: { store, bus, clock, ids, random, sealedBox, planOf: async () => 'max', urlRules },
    history: { store, bus, clock, ids, keys, histories, links, maxBytes: 1e9 },
  };
  return { ...life, clock, histories, unlinked, blobs, library };
}

/** A media store that forgets everything with its test. */
function createMemoryBlobs(): MediaStore & { readonly names: () => string[] } {
  const kept = new Map<string, Buffer>();
  return {
    names: () => [...kept.keys()],
    async put(name, { path: file }) {
      kept.set(name, readFileSync(file));
      rmSync(file);
    },
    has: async (name) => kept.has(name),
    async read(name, { from, to }) {
      const bytes = kept.get(name) ?? Buffer.alloc(0);
      return (async function* () {
        yield bytes.subarray(from, to);
      })();
    },
    async delete(name) {
      kept.delete(name);
    },
    async *list() {},
    async close() {},
  };
}
