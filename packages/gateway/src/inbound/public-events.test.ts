import { beforeEach, describe, expect, test } from 'vitest';
import type { GroupChange, NetworkEvent } from '#network';
import { ADA, clearStage, GROUP, SESSION, stage, take } from './testing/sink.ts';

beforeEach(clearStage);

describe('other events of the network', () => {
  const happening = { id: 'x/1', timestamp: 1_784_365_200 };

  test('receipts of a group keep their order with all that happens in that group', async () => {
    await take({
      ...happening,
      kind: 'receipt',
      recipient: ADA,
      group: GROUP,
      type: 'read',
      messageId: 'OURS',
    });
    expect(stage.emitted.flat()).toMatchObject([{ chat: GROUP, event: { recipient_jid: ADA } }]);
  });

  test('receipts of messages that were sent here carry the key of their send', async () => {
    const receipt = { ...happening, kind: 'receipt', recipient: ADA, type: 'read' } as const;
    expect(await take({ ...receipt, messageId: 'OURS' }, { ...receipt, messageId: 'BY HAND' })).toEqual([
      {
        kind: 'receipt',
        session_id: SESSION,
        request_id: 'order-1042',
        message_id: 'OURS',
        network_message_id: 'OURS',
        recipient_jid: ADA,
        receipt_type: 'read',
        timestamp_unix: 1_784_365_200,
      },
    ]);
    expect(stage.noted[0]).toEqual({
      slotId: 'slot_1',
      messageId: 'OURS',
      status: 'read',
      at: 1_784_365_200_000,
    });
  });

  test('votes', async () => {
    const vote = {
      ...happening,
      kind: 'poll_vote',
      pollMessageId: 'P',
      chat: GROUP,
      voter: '7@lid',
    } as const;
    const publicVote = {
      kind: 'poll_vote',
      session_id: SESSION,
      voter_jid: '7@lid',
      chat_jid: GROUP,
      poll_message_id: 'P',
      selected_hashes: ['ab'],
      timestamp_unix: 1_784_365_200,
    };
    expect(
      await take(
        { ...vote, selectedHashes: ['ab'] },
        { ...vote, selectedHashes: ['ab'], selectedOptions: ['Tea'] },
      ),
    ).toEqual([publicVote, { ...publicVote, selected_options: ['Tea'] }]);
  });

  test('changes of groups', async () => {
    const by = { jid: '77@lid', phone: ADA };
    const change = (change: GroupChange): NetworkEvent => ({
      ...happening,
      kind: 'group',
      group: GROUP,
      by,
      change,
    });
    const common = {
      kind: 'group',
      session_id: SESSION,
      chat_jid: GROUP,
      by_jid: '77@lid',
      by_phone: ADA,
      timestamp_unix: 1_784_365_200,
    };
    const { by_jid, by_phone, ...plain } = common;
    expect(
      await take(
        change({ type: 'added', participants: [{ jid: '78@lid' }, by] }),
        change({ type: 'joined', participants: [by], subject: 'Lunch' }),
        change({ type: 'subject', subject: 'Dinner' }),
        change({ type: 'description', description: '' }),
        change({ type: 'settings', announce: false, ephemeralSeconds: 0 }),
        change({ type: 'settings', locked: true, joinApproval: false, membersAdd: false }),
        { ...change({ type: 'subject', subject: 'By a phone' }), by: { jid: ADA } } as NetworkEvent,
        { ...change({ type: 'subject', subject: 'By the network' }), by: undefined } as NetworkEvent,
      ),
    ).toEqual([
      { ...common, event: 'added', participants: [{ jid: '78@lid' }, { jid: '77@lid', phone_jid: ADA }] },
      { ...common, event: 'joined', participants: [{ jid: '77@lid', phone_jid: ADA }], subject: 'Lunch' },
      { ...common, event: 'subject', subject: 'Dinner' },
      { ...common, event: 'description', description: '' },
      { ...common, event: 'settings', announce: false, ephemeral_seconds: 0 },
      { ...common, event: 'settings', locked: true, join_approval: false, members_add: false },
      { ...plain, by_jid: ADA, event: 'subject', subject: 'By a phone' },
      { ...plain, event: 'subject', subject: 'By the network' },
    ]);
  });

  test('changes of contacts', async () => {
    const contact = { ...happening, kind: 'contact', contact: ADA } as const;
    const common = { kind: 'contact', session_id: SESSION, contact_jid: ADA, timestamp_unix: 1_784_365_200 };
    expect(
      await take(
        { ...contact, change: { type: 'about', about: '' } },
        { ...contact, change: { type: 'picture', pictureId: '17' } },
        { ...contact, change: { type: 'picture' } },
      ),
    ).toEqual([
      { ...common, event: 'about', about: '' },
      { ...common, event: 'picture', picture_id: '17' },
      { ...common, event: 'picture' },
    ]);
  });

  test('posts of channels', async () => {
    const channel = '120363107654321098@newsletter';
    const post = { channel, serverId: 118, messageId: 'N1', type: 'text', text: 'News' };
    expect(await take({ ...happening, kind: 'channel_message', ...post })).toEqual([
      {
        kind: 'newsletter_message',
        session_id: SESSION,
        newsletter_jid: channel,
        server_id: 118,
        message_id: 'N1',
        type: 'text',
        text: 'News',
        timestamp_unix: 1_784_365_200,
      },
    ]);
  });

  test('typing and recording', async () => {
    const typing = { chat: ADA, sender: ADA, isGroup: false, typing: true, media: 'audio' } as const;
    expect(await take({ ...happening, kind: 'typing', ...typing })).toEqual([
      {
        kind: 'typing',
        session_id: SESSION,
        sender_jid: ADA,
        chat_jid: ADA,
        is_group: false,
        typing: true,
        media: 'audio',
      },
    ]);
  });

  test('presence, with the time last seen only while offline', async () => {
    const presence = { ...happening, kind: 'presence', contact: ADA } as const;
    expect(
      await take({ ...presence, online: true, lastSeen: 5 }, { ...presence, online: false, lastSeen: 5 }),
    ).toEqual([
      { kind: 'presence', session_id: SESSION, contact_jid: ADA, online: true },
      { kind: 'presence', session_id: SESSION, contact_jid: ADA, online: false, last_seen_unix: 5 },
    ]);
  });

  test('calls', async () => {
    const call = { ...happening, kind: 'call', callId: 'C', from: ADA, video: true } as const;
    expect(
      await take(
        { ...call, event: 'offer', rejected: true, reason: 'timeout' },
        { ...call, event: 'terminate', rejected: false, reason: 'timeout' },
      ),
    ).toEqual([
      {
        kind: 'call',
        session_id: SESSION,
        call_id: 'C',
        from_jid: ADA,
        event: 'offer',
        video: true,
        rejected: true,
        timestamp_unix: 1_784_365_200,
      },
      {
        kind: 'call',
        session_id: SESSION,
        call_id: 'C',
        from_jid: ADA,
        event: 'terminate',
        video: true,
        rejected: false,
        reason: 'timeout',
        timestamp_unix: 1_784_365_200,
      },
    ]);
  });
});
