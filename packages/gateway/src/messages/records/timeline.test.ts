import type { EventOf } from '@parley/contract';
import { describe, expect, it } from 'vitest';
import { stepsOf } from './timeline.ts';

const row = (status: 'accepted' | 'failed' | 'read' | 'delivered') => ({
  status,
  accepted_at: 1_000_000,
  updated_at: 1_900_000,
});
const receipt = (receipt_type: 'delivered' | 'read', recipient_jid: string, timestamp_unix: number) =>
  ({ receipt_type, recipient_jid, timestamp_unix }) as EventOf<'receipt'>;
const sentAt = (timestamp_unix: number) => ({ status: 'sent', timestamp_unix }) as EventOf<'status'>;

describe('the timeline of a message', () => {
  it('has a time for each published step, the first of several people', () => {
    const receipts = [
      receipt('delivered', 'a', 1_030),
      receipt('delivered', 'b', 1_020),
      receipt('read', 'b', 1_040),
    ];
    expect(stepsOf(row('read'), [sentAt(1_010)], receipts)).toEqual([
      { state: 'accepted', at_unix: 1_000, people: 0 },
      { state: 'sent', at_unix: 1_010, people: 0 },
      { state: 'delivered', at_unix: 1_020, people: 2 },
      { state: 'read', at_unix: 1_040, people: 1 },
    ]);
  });

  it('has the steps between without a time when their events have left the log', () => {
    expect(stepsOf(row('delivered'), [], [])).toEqual([
      { state: 'accepted', at_unix: 1_000, people: 0 },
      { state: 'sent', at_unix: null, people: 0 },
      { state: 'delivered', at_unix: 1_900, people: 0 },
    ]);
  });

  it('may end with a failure, or have only begun', () => {
    expect(stepsOf(row('failed'), [], []).map(({ state }) => state)).toEqual(['accepted', 'failed']);
    expect(stepsOf(row('accepted'), [], []).map(({ state }) => state)).toEqual(['accepted']);
  });
});
