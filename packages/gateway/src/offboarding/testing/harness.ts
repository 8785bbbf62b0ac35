import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDataKeys } from '#accounts';
import { createHarness as createBillingHarness } from '#billing/testing';
import { createHistories } from '#conversations';
import { createEventLog } from '#events';
import { createSealedBox, createSystemClock } from '#kernel';
import { createMediaLibrary, type MediaStore } from '#media';
import { createLocalBus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import { openTemplate } from '#surfaces/compat';
import type { EraseContext } from '../deletion.ts';
import type { ExportContext } from '../export/export.ts';

/** Command modules that the tests of this room need. */
export const commandModules = ['messages', 'health', 'events', 'conversations'].map(
  (room) => new URL(`../../${room}/write-commands.ts`, import.meta.url),
);

/** The room with a stepped clock, and a network that only records unlinked numbers. */
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
    openTemplate: (accountId, sealed) => JSON.parse(openTemplate(sealedBox, accountId, sealed)),
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

/** A media store in memory. */
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
