import { EVENT_SCHEMAS } from '@parley/contract';
import { expect, it } from 'vitest';
import { eventTexts } from './events.ts';

/** The examples of the contract, and their summaries. */
it.each([
  ['message', 'Text from Ada'],
  ['receipt', 'Read by +1 555 000 2001'],
  ['status', 'Sent to +1 555 000 2001'],
  ['connection', 'Connected'],
  ['poll_vote', 'Vote by +1 555 000 2001'],
  ['typing', '+1 555 000 2001 is typing'],
  ['presence', '+1 555 000 2001 is offline'],
  ['call', 'Call from +1 555 000 2001, rejected'],
  ['newsletter_message', 'Post in a channel'],
  ['health', 'Restricted by the network'],
] as const)('summarizes %s as “%s”', (kind, summary) => {
  const { examples } = JSON.parse(JSON.stringify(EVENT_SCHEMAS[kind]));
  expect(eventTexts[kind].summarize(examples[0])).toBe(summary);
});

it('replaces a redacted name by the number', () => {
  const event = {
    type: 'image',
    sender_name: '[redacted: 3 bytes]',
    sender_phone: '15550002001@s.whatsapp.net',
  };
  expect(eventTexts.message.summarize({ ...event, is_group: true })).toBe(
    'Image from +1 555 000 2001 in a group',
  );
});

it('gives the reason of a failure', () => {
  const event = { status: 'failed', to: '15550002001@s.whatsapp.net', reason: 'SEND_FAILED' };
  expect(eventTexts.status.summarize(event)).toBe('Failed to +1 555 000 2001: SEND_FAILED');
});
