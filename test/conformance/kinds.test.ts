import { type Group, SEND_KINDS } from '@parley/contract';
import { beforeAll, expect, test } from 'vitest';
import { useFileServer } from './file-server.ts';
import { type Someone, someone } from './numbers.ts';
import { accepted, type Body, createFleet, type Shown, shownOn } from './sends.ts';
import { sharedGateway } from './shared-gateway.ts';

const gateway = sharedGateway();
const files = useFileServer();
const sender = createFleet(gateway);
let ada: Someone;

beforeAll(async () => {
  ada = await someone(gateway);
});

/** Kinds that make a bubble in a chat; the others change one, or the chat. */
const BUBBLES = Object.values(SEND_KINDS).filter(
  ({ kind, schema: { properties, required } }) =>
    'to' in properties && kind !== 'disappearing' && !required.some((field) => field.endsWith('_message_id')),
);

/** The content without the fields in which two equal messages differ. */
function contentOf(shown: Shown): Body {
  const { message_id, sender_jid, sender_phone, chat_jid, timestamp_unix, receipts, ...content } = shown;
  return content;
}

test.each(BUBBLES)('$kind through the gateway looks the same as from a phone', async ({ kind, example }) => {
  const me = await sender(1);
  const { jid } = await me
    .on<Group>('POST', '/groups', { name: 'Launch', participants: [] })
    .then(({ body }) => body);
  const { session_id, ...fields }: Body = {
    ...example,
    to: ada.phone,
    ...(kind === 'media' && { media_url: files.url('/tides.pdf') }),
    ...(kind === 'sticker' && { sticker_url: files.url('/sticker.webp') }),
    ...(kind === 'group_invite' && { group_invite_jid: jid }),
  };
  const { message_id } = await gateway.sandbox<Shown>('POST', `/phones/${me.phone}/messages`, fields);
  const typed = await shownOn(gateway, ada, message_id);
  const sent = await shownOn(gateway, ada, await accepted(me, fields));
  expect(contentOf(sent)).toEqual(contentOf(typed));
  expect(typed.type).not.toBe('other');
});
