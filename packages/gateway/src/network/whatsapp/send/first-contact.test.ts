import { createHmac } from 'node:crypto';
import { proto } from 'baileys';
import { beforeAll, expect, test } from 'vitest';
import { createLibraryLog, installGuards } from '../guards/index.ts';
import type { Vault } from '../vault/index.ts';
import { createFirstContact } from './first-contact.ts';

const LID = '100000000000001@lid';
const SALT = Buffer.alloc(32, 7);
/**
 * `SyncActionData` of the index `["nct_salt_sync"]`, with the salt and a time, as another client of the network
 * writes it.
 */
const GOLDEN = Buffer.from(
  `0a115b226e63745f73616c745f73796e63225d122c08a0c1e1c6e0338205220a20${SALT.toString('hex')}1a002007`,
  'hex',
);

beforeAll(installGuards);

/** The records of a vault, in memory. */
function memory(records: Record<string, unknown> = {}): () => Pick<Vault, 'read' | 'commit'> {
  const kept = new Map(Object.entries(records));
  return () => ({
    async read(kind, ids) {
      return new Map(
        ids.flatMap((id) => (kept.has(`${kind}/${id}`) ? [[id, kept.get(`${kind}/${id}`)]] : [])),
      );
    },
    async commit({ puts = [], deletes = [] }) {
      for (const { kind, id, value } of puts) kept.set(`${kind}/${id}`, value);
      for (const { kind, id } of deletes) kept.delete(`${kind}/${id}`);
    },
  });
}

const now = (): number => Math.floor(Date.now() / 1_000);
const FOUR_WEEKS = 28 * 86_400;

test('finds the salt of the phone among the fields that the library does not know', async () => {
  const { readSalt, tokenFor } = createFirstContact(memory());
  expect(await tokenFor(LID)).toEqual([]);
  const syncAction = proto.SyncActionData.decode(GOLDEN);
  const log = readSalt(createLibraryLog({ debug() {}, warn() {} }));
  const logSyncAction = (entry: object) => log.trace({ syncAction: entry }, 'processing sync action');

  logSyncAction({ syncAction, index: ['nct_salt_sync'] });

  const content = createHmac('sha256', SALT).update(LID).digest();
  expect(await tokenFor(LID)).toEqual([{ tag: 'cstoken', attrs: {}, content }]);
  // Everything around it is read as before.
  expect(syncAction).toMatchObject({ version: 7 });
  expect(Number(syncAction.value?.timestamp)).toBe(1_778_264_858_784);

  // Other entries do not change the salt; this one removes it.
  logSyncAction({ syncAction: { value: { contactAction: {} } }, index: ['contact', LID] });
  expect(await tokenFor(LID)).toHaveLength(1);
  logSyncAction({ syncAction: { value: { timestamp: 1 } }, index: ['nct_salt_sync'] });
  expect(await tokenFor(LID)).toEqual([]);
});

test.each([
  ['is left to the recipient’s own token where there is one', LID, now(), 0],
  ['replaces one that has expired', LID, now() - FOUR_WEEKS - 7 * 86_400, 1],
  ['is made for hidden addresses only', '15550002001@s.whatsapp.net', 0, 0],
])('a token for a first contact %s', async (_what, address, timestamp, expected) => {
  const trust = { token: Buffer.from('trust'), timestamp: String(timestamp) };
  const { learnSalt, tokenFor } = createFirstContact(memory({ [`tctoken/${LID}`]: trust }));
  await learnSalt(SALT);
  expect(await tokenFor(address)).toHaveLength(expected);
});
