import { expect, it, vi } from 'vitest';
import type { MailboxItem } from '../../world/index.ts';
import { type Node, node } from '../transport/nodes.ts';
import { createMailboxDelivery } from './mailbox-delivery.ts';

it('yields to the event loop between the messages of a long backlog', async () => {
  const sent: string[] = [];
  const parts = {
    network: {},
    session: { device: { sessionId: 'ada' }, send: (stanza: Node) => void sent.push(stanza.attrs.id ?? '') },
    write: async ({ id }: MailboxItem) => node('message', { id }),
  };
  const delivery = createMailboxDelivery(parts as unknown as Parameters<typeof createMailboxDelivery>[0]);
  const backlog = Array.from({ length: 200 }, (_, id) => ({ id, volatile: true }) as MailboxItem);
  for (const item of backlog) delivery.carry(item);
  await new Promise(setImmediate);
  expect(sent.length).toBeLessThan(10);
  await vi.waitFor(() => expect(sent).toEqual(backlog.map(({ id }) => String(id))));
});
