import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSystemClock } from '#kernel';
import { openStore } from '../index.ts';
import { migrations } from './index.ts';

it('people whom a number reached before there was health are nobody new', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-migration-'));
  const open = (upTo: number) =>
    openStore({
      url: `sqlite:${join(folder, 'parley.db')}`,
      commandModules: [],
      migrations: migrations.filter(({ version }) => version <= upTo),
      clock: createSystemClock(),
    });
  try {
    const before = await open(14);
    const sent = [
      ['1@s.whatsapp.net', 'sent', 20],
      ['1@s.whatsapp.net', 'read', 10],
      ['2@s.whatsapp.net', 'failed', 10],
      ['3@s.whatsapp.net', 'accepted', 10],
      ['4@lid', 'delivered', 30],
      ['5@g.us', 'sent', 10],
    ] as const;
    await before.transaction((trx) =>
      trx
        .insertInto('messages')
        .values(
          sent.map(([to_jid, status, at], index) => ({
            id: `m${index}`,
            account_id: 'a',
            slot_id: 's',
            session_id: 'x',
            request_id: `r${index}`,
            to_jid,
            type: 'text',
            status,
            accepted_at: at,
            updated_at: at,
          })),
        )
        .execute(),
    );
    await before.close();
    const store = await open(migrations.length);
    const known = await store.read.selectFrom('known_people').selectAll().orderBy('person').execute();
    await store.close();
    expect(known.map(({ person, reached_at }) => [person, reached_at])).toEqual([
      ['1@s.whatsapp.net', 10],
      ['4@lid', 30],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
