import { expect, it } from 'vitest';
import { acrossMigration } from '../testing/across-migration.ts';
import { health as migration } from './0015-health.ts';

it('people whom a number reached before there was health are nobody new', async () => {
  const sent = [
    ['1@s.whatsapp.net', 'sent', 20],
    ['1@s.whatsapp.net', 'read', 10],
    ['2@s.whatsapp.net', 'failed', 10],
    ['3@s.whatsapp.net', 'accepted', 10],
    ['4@lid', 'delivered', 30],
    ['5@g.us', 'sent', 10],
  ] as const;
  const messages = sent.map(([to_jid, status, at], index) => ({
    ...{ id: `m${index}`, account_id: 'a', slot_id: 's', session_id: 'x', request_id: `r${index}` },
    ...{ to_jid, type: 'text', status, accepted_at: at, updated_at: at },
  }));
  const known = await acrossMigration(
    migration.version,
    (before) => before.transaction((trx) => trx.insertInto('messages').values(messages).execute()),
    ({ read }) => read.selectFrom('known_people').selectAll().orderBy('person').execute(),
  );
  expect(known.map(({ person, reached_at }) => [person, reached_at])).toEqual([
    ['1@s.whatsapp.net', 10],
    ['4@lid', 30],
  ]);
});
