import { expect, it } from 'vitest';
import { catchUp, follow, type Journey, stagesDone } from './journeys.ts';

const journey: Journey = { messageId: 'M1', kind: 'Text', to: '15550002001', reached: { accepted: 100 } };
const other: Journey = { ...journey, messageId: 'M2' };
const live = (kind: 'status' | 'receipt', event: Record<string, unknown>) => ({
  cursor: '1',
  phone: '15550001001',
  kind,
  event,
});
const sent = live('status', { message_id: 'M1', status: 'sent', timestamp_unix: 101 });
const receipt = (receipt_type: string, timestamp_unix: number) =>
  live('receipt', { network_message_id: 'M1', receipt_type, timestamp_unix });

it('advances only the message that an event is about', () => {
  const events = [sent, receipt('delivered', 102), receipt('read', 103)];
  const [followed, untouched] = events.reduce(follow, [journey, other]);
  expect(followed?.reached).toEqual({ accepted: 100, sent: 101, delivered: 102, read: 103 });
  expect(untouched).toBe(other);
});

it('keeps the first time of a state', () => {
  const [followed] = [receipt('delivered', 102), receipt('delivered', 150)].reduce(follow, [journey]);
  expect(followed?.reached.delivered).toBe(102);
});

it('counts a read message as delivered, even without a receipt of the delivery', () => {
  const [followed = journey] = follow([journey], receipt('read', 103));
  expect(stagesDone(followed)).toBe(4);
  expect(stagesDone(journey)).toBe(1);
});

it('catches up on states reached before the stream was open', () => {
  const delivered = { message_id: 'M1', status: 'delivered', updated_at_unix: 102 } as const;
  const [first = journey, untouched] = catchUp([journey, other], [delivered]);
  expect(first.reached).toEqual({ accepted: 100, delivered: 102 });
  expect(untouched).toBe(other);
  expect(catchUp([first], [{ ...delivered, updated_at_unix: 150 }])).toEqual([first]);
  const failed = { message_id: 'M2', status: 'failed', reason: 'SEND_FAILED', updated_at_unix: 103 } as const;
  expect(catchUp([other], [failed])).toMatchObject([{ reached: { failed: 103 }, reason: 'SEND_FAILED' }]);
});

it('keeps the reason of a failure', () => {
  const failed = live('status', {
    message_id: 'M1',
    status: 'failed',
    reason: 'INVALID_RECIPIENT',
    timestamp_unix: 101,
  });
  expect(follow([journey], failed)).toMatchObject([
    { reached: { failed: 101 }, reason: 'INVALID_RECIPIENT' },
  ]);
});
