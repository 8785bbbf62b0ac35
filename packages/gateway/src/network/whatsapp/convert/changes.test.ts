import type { BinaryNode } from 'baileys';
import { describe, expect, test } from 'vitest';
import { readContactChanges, readGroupChanges } from './notifications.ts';

const me = { id: '15550001001:3@s.whatsapp.net', lid: '100@lid' };
const ADA = { jid: '77@lid', phone: '15550002001@s.whatsapp.net' };
const BEN = { jid: '78@lid', phone: '15550002002@s.whatsapp.net' };

const node = (
  tag: string,
  attrs: Record<string, string> = {},
  content?: BinaryNode['content'],
): BinaryNode => ({
  tag,
  attrs,
  ...(content === undefined ? {} : { content }),
});
const person = ({ jid, phone }: typeof ADA, tag = 'participant') => node(tag, { jid, phone_number: phone });

describe('changes of a group', () => {
  const outside = {
    id: 'N1',
    from: '123@g.us',
    type: 'w:gp2',
    participant: '77:2@lid',
    participant_pn: ADA.phone,
    t: '5',
  };
  const changes = (...content: BinaryNode[]) =>
    readGroupChanges(node('notification', outside, content), me).map(({ change }) => change);

  test('name the group, the actor and the time, one event per change', () => {
    const read = readGroupChanges(
      node('notification', outside, [node('subject', { subject: 'Lunch' }), node('locked')]),
      me,
    );
    expect(read).toMatchObject([
      { kind: 'group', group: '123@g.us', by: ADA, timestamp: 5, change: { type: 'subject' } },
      { change: { type: 'settings', locked: true } },
    ]);
    expect(new Set(read.map(({ id }) => id)).size).toBe(2);
  });

  test('name a person who asks to join, or who withdraws, and who asked for them', () => {
    expect(changes(node('created_membership_requests', { request_method: 'invite_link' }))).toEqual([
      { type: 'join_requested', participants: [ADA] },
    ]);
    expect(changes(node('membership_approval_request', { request_method: 'invite_link' }))).toEqual([
      { type: 'join_requested', participants: [ADA] },
    ]);
    expect(changes(node('created_membership_requests', {}, [person(BEN, 'requested_user')]))).toEqual([
      { type: 'join_requested', participants: [BEN] },
    ]);
    expect(changes(node('revoked_membership_requests', {}, [person(BEN)]))).toEqual([
      { type: 'join_request_withdrawn', participants: [BEN] },
    ]);
  });

  test('distinguish leaving from being removed', () => {
    expect(changes(node('remove', {}, [person(ADA)]))).toEqual([{ type: 'left', participants: [ADA] }]);
    expect(changes(node('remove', {}, [person(BEN)]))).toEqual([{ type: 'removed', participants: [BEN] }]);
  });

  test('that are invalid or not for members are no events', () => {
    expect(changes(node('invite', { code: 'x' }), node('add'), node('modify'), node('revoke'))).toEqual([]);
    expect(changes(node('add', {}, [node('participant', { jid: 'nonsense' })]))).toEqual([]);
    for (const wrong of [{ from: '77@lid' }, { type: 'picture' }, { id: '' }]) {
      const attrs = { ...outside, ...wrong };
      expect(readGroupChanges(node('notification', attrs, [node('locked')]), me)).toEqual([]);
    }
  });
});

describe('changes of a contact', () => {
  const changes = (attrs: Record<string, string>, ...content: BinaryNode[]) =>
    readContactChanges(
      node('notification', { id: 'N1', from: '77@lid', t: '5', ...attrs }, content),
      me,
      async (jid) => (jid === ADA.jid ? ADA.phone : jid),
    );

  test('are published by phone number where it is known', async () => {
    const about = node('set', {}, Buffer.from('At sea'));
    expect(await changes({ type: 'status' }, about)).toMatchObject([
      { kind: 'contact', contact: ADA.phone, timestamp: 5, change: { type: 'about', about: 'At sea' } },
    ]);
    expect(await changes({ type: 'status', from: '99@lid' }, about)).toMatchObject([{ contact: '99@lid' }]);
    expect(await changes({ type: 'picture' }, node('set', { id: '17' }))).toMatchObject([
      { change: { type: 'picture', pictureId: '17' } },
    ]);
    const [removed] = await changes({ type: 'picture' }, node('delete'));
    expect(removed?.change).toEqual({ type: 'picture' });
  });

  test('of a group, of the number itself, or of another kind are no events', async () => {
    const set = node('set', { id: '17' });
    expect(await changes({ type: 'picture', from: '123@g.us' }, set)).toEqual([]);
    expect(await changes({ type: 'picture', from: '100@lid' }, set)).toEqual([]);
    expect(await changes({ type: 'devices' }, set)).toEqual([]);
    expect(await changes({ type: 'picture' })).toEqual([]);
  });
});
