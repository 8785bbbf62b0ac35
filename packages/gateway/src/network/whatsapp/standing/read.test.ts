import { expect, test } from 'vitest';
import { readCap, readLock, readNotification } from './read.ts';

const NOW = 1_784_365_200_000;

function notification(json: string) {
  const update = { tag: 'update', attrs: { op_name: 'Anything' }, content: Buffer.from(json) };
  return { tag: 'notification', attrs: { type: 'mex' }, content: [update] };
}

test('a restriction keeps the name that the network gave it, and lasts a minute where no end is told', () => {
  const said = { is_active: true, enforcement_type: 'RESTRICT_ALL_COMPANIONS' };
  expect(readLock({ ...said, time_enforcement_ends: '1784368800' }, NOW)).toEqual({
    kind: 'reachout_lock',
    active: true,
    type: 'RESTRICT_ALL_COMPANIONS',
    endsAt: 1_784_368_800_000,
  });
  expect(readLock(said, NOW)?.endsAt).toBe(NOW + 60_000);
  expect(readLock({ ...said, time_enforcement_ends: '0' }, NOW)?.endsAt).toBe(NOW + 60_000);
  expect(readLock({ is_active: false, enforcement_type: 'DEFAULT' }, NOW)).toEqual({
    kind: 'reachout_lock',
    active: false,
  });
});

test.each([undefined, null, {}, { is_active: 'yes' }, 'locked'])(
  '%j says nothing of a restriction',
  (said) => {
    expect(readLock(said, NOW)).toBeUndefined();
  },
);

test('a cap is read from numbers and from text', () => {
  const cap = {
    kind: 'new_chat_cap',
    quota: 50,
    used: 45,
    cycleEndsAt: 1_784_368_800_000,
    warning: 'second',
  };
  const times = { cycle_end_timestamp: '1784368800', capping_status: 'SECOND_WARNING' };
  expect(readCap({ total_quota: 50, used_quota: 45, ...times })).toEqual(cap);
  expect(readCap({ total_quota: '50', used_quota: '45', ...times })).toEqual(cap);
  expect(readCap({ total_quota: 50, used_quota: 0, capping_status: 'A_NEW_ONE' })).toEqual({
    kind: 'new_chat_cap',
    quota: 50,
    used: 0,
    warning: 'none',
  });
  expect([readCap({}), readCap(null), readCap({ total_quota: -1, used_quota: 0 })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('notifications about other things, and such as are no JSON, are passed over', () => {
  expect(readNotification(notification('{"data":{"xwa2_notify_lid_change":{}}}'), NOW)).toBeUndefined();
  expect(readNotification(notification('not json'), NOW)).toBeUndefined();
  expect(readNotification({ tag: 'notification', attrs: {} }, NOW)).toBeUndefined();
});
