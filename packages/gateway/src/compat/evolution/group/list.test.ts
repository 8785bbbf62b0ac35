import { operations } from '@parley/contract';
import { expect, it } from 'vitest';
import type { ForeignCall } from '#http';
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

it('a list of groups is one question to the network, however many they are', async () => {
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
  } as unknown as ForeignCall;
  const answer = await list?.handle(call);
  expect(answer?.body).toHaveLength(300);
  expect(asked).toEqual([[operations.listGroups.id, { details: 'head' }]]);
});
