import { expect, it } from 'vitest';
import { tellDetail } from './tell-detail.ts';

it('a change is told in words, without what is nothing', () => {
  expect(tellDetail({ name: 'Reports', phone: null, permissions: ['groups', 'contacts'] })).toBe(
    'name: Reports, permissions: groups contacts',
  );
});

it('what was set together is told together', () => {
  expect(tellDetail({ partner_limits: { per_minute: 60, per_period: 80 } })).toBe(
    'partner limits: (per minute: 60, per period: 80)',
  );
  expect(tellDetail({})).toBe('');
});
