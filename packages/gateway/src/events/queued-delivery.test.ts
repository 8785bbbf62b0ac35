import { expect, test } from 'vitest';
import { isCommittedDelivery, isLaneName } from './queued-delivery.ts';

const lane = { accountId: 'a', url: 'https://receiver.example/' };

test.each([null, undefined, 'lane', 7, {}, { accountId: 'a' }, { url: 'u' }])(
  '%j is neither a lane nor a committed delivery',
  (news) => {
    expect(isLaneName(news)).toBe(false);
    expect(isCommittedDelivery(news)).toBe(false);
    expect(isCommittedDelivery({ lane: news })).toBe(false);
  },
);

test('a lane is an account and a URL, and a committed delivery has one', () => {
  expect(isLaneName(lane)).toBe(true);
  expect(isCommittedDelivery({ lane })).toBe(true);
  expect(isCommittedDelivery(lane)).toBe(false);
});
