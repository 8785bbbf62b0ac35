import type { EventPage, KeptMessageDetail } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Someone, someone, WATCHING } from './numbers.ts';
import { messagesOn, record, shownOn } from './sends.ts';
import { sharedGateway } from './shared-gateway.ts';
import { createWebhookHarness } from './webhook-harness.ts';

const gateway = sharedGateway();
const { me, ada, receiver, adas, adaSends, send } = await createWebhookHarness(gateway);
let ben: Someone;
let group: string;

beforeAll(async () => {
  ben = await someone(gateway, { name: 'Ben' });
  await me.on('PUT', '/history', { enabled: true, days: 7 });
  ({ jid: group } = await adas<{ jid: string }>('/groups', {
    name: 'Lunch',
    participants: [me.jid, ben.jid],
  }));
});
afterAll(() => receiver.close());

const kept = async (id: string) => (await me.on<KeptMessageDetail>('GET', `/messages/${id}`)).body;

/** A message of Ada in the stored history of the number. */
async function said(text: string): Promise<string> {
  const id = await adaSends({ text }, group);
  await vi.waitFor(async () => expect(await kept(id)).toMatchObject({ text }), WATCHING);
  return id;
}

const revoke = (id: string, whose: object) =>
  send({ to: group, type: 'revoke', revoked_message_id: id, ...whose });

const statusOf = (id: string) => receiver.next('status', ({ message_id }) => message_id === id);

describe("another member's message", () => {
  test('stays, and the message that deletes it fails, while the number is not an admin', async () => {
    const target = await said('Rude words');
    const { id, key } = await revoke(target, { revoked_participant: ada.jid });
    const status = {
      kind: 'status',
      session_id: me.sessionId,
      request_id: key,
      message_id: id,
      to: group,
      status: 'failed',
      reason: 'SEND_FAILED',
      detail: 'Only an admin of the group may delete what other members wrote.',
      timestamp_unix: expect.any(Number),
    };
    expect((await statusOf(id)).event).toEqual(status);
    expect((await record(me, id)).body).toMatchObject({ status: 'failed', reason: 'SEND_FAILED' });
    const logged = async () => {
      const { body } = await me.call<EventPage>('GET', '/events?limit=500');
      const events = body.events.map(({ event }) => event);
      return events.filter((event) => 'message_id' in event && event.message_id === id);
    };
    // PostgreSQL shows an event once every transaction that began before it has ended.
    await expect.poll(logged, WATCHING).toEqual([status]);
    expect(await kept(target)).toMatchObject({ text: 'Rude words' });
    // Sent after it, so the deletion would have arrived before.
    const { id: next } = await send({ to: group, text: 'Sorry' });
    expect(await shownOn(gateway, ben, next)).toMatchObject({ text: 'Sorry' });
    const shown = await messagesOn(gateway, ben);
    expect(shown.map(({ message_id }) => message_id)).not.toContain(id);
    expect(shown.find(({ message_id }) => message_id === target)).toMatchObject({ revoked: false });
  });

  test('stays in the history when it is deleted as an own message', async () => {
    const target = await said('Not yours');
    const { id } = await revoke(target, { revoked_from_me: true });
    await statusOf(id);
    expect(await shownOn(gateway, ben, target)).toMatchObject({ revoked: false, text: 'Not yours' });
    expect(await kept(target)).toMatchObject({ text: 'Not yours' });
  });

  test('is deleted once the number is an admin, and stays again after that', async () => {
    const change = (action: 'promote' | 'demote') =>
      adas(`/groups/${encodeURIComponent(group)}/participants`, { participants: [me.jid], action });
    const [first, second] = [await said('Ruder words'), await said('The rudest words')];
    await change('promote');
    const { id } = await revoke(first, { revoked_participant: ada.jid });
    expect((await statusOf(id)).event).toMatchObject({ status: 'sent' });
    expect(await shownOn(gateway, ben, first)).toMatchObject({ revoked: true, text: '' });
    await vi.waitFor(async () => expect(await kept(first)).toMatchObject({ text: '' }), WATCHING);
    await change('demote');
    const { id: late } = await revoke(second, { revoked_participant: ada.jid });
    expect((await statusOf(late)).event).toMatchObject({ status: 'failed', reason: 'SEND_FAILED' });
    expect(await shownOn(gateway, ben, second)).toMatchObject({ revoked: false });
  });
});
