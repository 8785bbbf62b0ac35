import { expect, test } from 'vitest';
import { isLaneName, isToldDelivery } from './queued-delivery.ts';

const lane = { accountId: 'a', url: 'https://receiver.example/' };

test.each([null, undefined, 'lane', 7, {}, { accountId: 'a' }, { url: 'u' }])(
  '%j names no lane, and tells of no delivery',
  (news) => {
    expect(isLaneName(news)).toBe(false);
    expect(isToldDelivery(news)).toBe(false);
    expect(isToldDelivery({ lane: news })).toBe(false);
  },
);

test('a lane is an account and a URL, and a delivery that is told of has one', () => {
  expect(isLaneName(lane)).toBe(true);
  expect(isToldDelivery({ lane })).toBe(true);
  expect(isToldDelivery(lane)).toBe(false);
});
