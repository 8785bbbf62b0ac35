import { operations } from '@parley/contract';
import { expect, it } from 'vitest';
import type { CompatRequest } from '#platform/http';
import type { EvolutionContext } from '../instances.ts';
import { groupEndpoints } from './endpoints.ts';

const HEAD = {
  name: 'Crew',
  description: '',
  owner_jid: '',
  created_at_unix: 1,
  announce: false,
  locked: false,
  size: 2,
};

it('reports an invite as not accepted where an admin has to approve it', async () => {
  const join = groupEndpoints({} as EvolutionContext).find(({ id }) => id === 'acceptInviteCode');
  const pending = { jid: '1@g.us', status: 'pending_approval' };
  const call = {
    query: { inviteCode: 'AbCdEfGhIjKlMnOpQrStUv' },
    subject: { number: { phone: '15550001001' }, sessionId: '15550001001:1@s.whatsapp.net' },
    invoke: async () => pending,
  } as unknown as CompatRequest;
  expect(await join?.handle(call)).toEqual({
    status: 202,
    body: { accepted: false, groupJid: '1@g.us', status: 'pending_approval' },
  });
});

it('lists any number of groups with one query to the network', async () => {
  const list = groupEndpoints({} as EvolutionContext).find(({ id }) => id === 'fetchAllGroups');
  const asked: unknown[] = [];
  const groups = Array.from({ length: 300 }, (_, index) => ({ ...HEAD, jid: `${index}@g.us` }));
  const call = {
    query: { getParticipants: false },
    subject: { number: { phone: '15550001001' } },
    invoke: async ({ id }: { id: string }, { query }: { query: unknown }) => {
      asked.push([id, query]);
      return { groups };
    },
  } as unknown as CompatRequest;
  const answer = await list?.handle(call);
  expect(answer?.body).toHaveLength(300);
  expect(asked).toEqual([[operations.listGroups.id, { details: 'head' }]]);
});
