import { compileCheck, EVENT_SCHEMAS, parseSend, SEND_KINDS, type SendKindName } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import type { NumberKeeper } from '#conversations';
import { canonicalJson, sealSend } from '../sealed-send.ts';
import { sealedBox } from '../testing/rows.ts';
import { wantedEcho } from './echo.ts';

const NOW = 1_784_365_200_500;
const GROUP = '120363041234567890@g.us';
const ADA = '15550002001@s.whatsapp.net';
const HIDDEN = '245100123456789@lid';

type Head = { to_jid?: string; asking?: number };

const echoed = async (body: object, head: Head = {}) => (await taken(body, head))?.event;

function taken(body: object, head: Head, keeper?: NumberKeeper) {
  const parsed = parseSend(body);
  if (!parsed.ok) throw new Error(parsed.text);
  const sealed = sealSend(sealedBox, 'slot_1', 'M1', canonicalJson(parsed.send));
  const row = {
    slot_id: 'slot_1',
    seq: 1,
    message_id: 'M1',
    request_id: 'order-1',
    account_id: 'acc_1',
    sealed,
  };
  return wantedEcho(
    { sealedBox, histories: { of: () => keeper } },
    {
      ...row,
      session_id: '15550001001:1@s.whatsapp.net',
      to_jid: ADA,
      asking: 1,
      ...head,
    },
    NOW,
    async (jid) => (jid === HIDDEN ? ADA : jid),
  );
}

const from = { session_id: '15550001001:1@s.whatsapp.net' };
const text = { ...from, to: '15550002001', text: 'Ready' };

describe('the echo of a send', () => {
  it.each(Object.keys(SEND_KINDS) as SendKindName[])(
    'of %s is a message of the number itself',
    async (kind) => {
      const event = await echoed(SEND_KINDS[kind].example);
      expect(compileCheck(EVENT_SCHEMAS.message)(event)).toBeNull();
      expect(event).toMatchObject({ from_me: true, request_id: 'order-1', message_id: 'M1' });
      expect(event).not.toHaveProperty('media');
    },
  );

  it('has text, recipient and author', async () => {
    const quote = { quoted_message_id: 'Q', quoted_text: 'Is it?' };
    expect(await echoed({ ...text, ...quote, forwarded: true })).toEqual({
      kind: 'message',
      message_id: 'M1',
      session_id: '15550001001:1@s.whatsapp.net',
      from_me: true,
      request_id: 'order-1',
      sender_jid: '15550001001@s.whatsapp.net',
      sender_phone: '15550001001@s.whatsapp.net',
      sender_name: '',
      chat_jid: ADA,
      is_group: false,
      type: 'text',
      text: 'Ready',
      timestamp_unix: 1_784_365_200,
      broadcast: false,
      quoted_message_id: 'Q',
      quoted_text: 'Is it?',
      forwarded: true,
    });
    expect(await echoed({ ...text, to: GROUP }, { to_jid: GROUP })).toMatchObject({ is_group: true });
    expect(await echoed({ ...text, to: HIDDEN }, { to_jid: HIDDEN })).toMatchObject({ chat_jid: ADA });
    const story = { ...from, type: 'status', status_type: 'text', text: 'Open' };
    expect(await echoed(story, { to_jid: 'status@broadcast' })).toMatchObject({
      broadcast: true,
      text: 'Open',
    });
    const edit = { ...text, type: 'edit', edit_message_id: 'M0' };
    expect(await echoed(edit)).toMatchObject({ type: 'other', text: 'Ready', edited_message_id: 'M0' });
  });

  it('is not made without a webhook that wants it', async () => {
    expect(await echoed(text, { asking: 0 })).toBeUndefined();
  });

  it('is made for a number that keeps its conversations, even without an event', async () => {
    const nothing = () => [];
    const past = { message: nothing, chat: nothing, progress: nothing };
    const keeper = { keepsFiles: true, message: nothing, receipt: nothing, chat: nothing, past };
    expect(await taken(text, { asking: 0 }, keeper)).toMatchObject({
      event: { text: 'Ready' },
      isAskedFor: false,
      keeper,
    });
  });
});
