import { createHmac } from 'node:crypto';
import { proto } from 'baileys';
import { beforeAll, expect, test } from 'vitest';
import { createLibraryLog, installGuards } from '../guards/index.ts';
import type { Vault } from '../vault/index.ts';
import { createFirstContact } from './first-contact.ts';

const LID = '100000000000001@lid';
const SALT = Buffer.alloc(32, 7);
/** `SyncActionData` of the index `["nct_salt_sync"]`, with the salt and a time, as another client of the network writes it. */
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

test('the salt that the phone shares is found among what the library does not know', async () => {
  const { readSalt, tokenFor } = createFirstContact(memory());
  expect(await tokenFor(LID)).toEqual([]);
  const syncAction = proto.SyncActionData.decode(GOLDEN);
  const log = readSalt(createLibraryLog({ debug() {}, warn() {} }));
  const tell = (entry: object) => log.trace({ syncAction: entry }, 'processing sync action');

  tell({ syncAction, index: ['nct_salt_sync'] });

  const content = createHmac('sha256', SALT).update(LID).digest();
  expect(await tokenFor(LID)).toEqual([{ tag: 'cstoken', attrs: {}, content }]);
  // Everything around it is read as before.
  expect(syncAction).toMatchObject({ version: 7 });
  expect(Number(syncAction.value?.timestamp)).toBe(1_778_264_858_784);

  // Other entries have no salt and say nothing of it; this one does.
  tell({ syncAction: { value: { contactAction: {} } }, index: ['contact', LID] });
  expect(await tokenFor(LID)).toHaveLength(1);
  tell({ syncAction: { value: { timestamp: 1 } }, index: ['nct_salt_sync'] });
  expect(await tokenFor(LID)).toEqual([]);
});

test.each([
  ['is left to the token of somebody who trusts this number', LID, now(), 0],
  ['stands in for one that has run out', LID, now() - FOUR_WEEKS - 7 * 86_400, 1],
  ['is made for hidden addresses only', '15550002001@s.whatsapp.net', 0, 0],
])('a token for a first contact %s', async (_what, address, timestamp, expected) => {
  const trust = { token: Buffer.from('trust'), timestamp: String(timestamp) };
  const { learnSalt, tokenFor } = createFirstContact(memory({ [`tctoken/${LID}`]: trust }));
  await learnSalt(SALT);
  expect(await tokenFor(address)).toHaveLength(expected);
});
