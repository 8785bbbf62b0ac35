import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatDetail,
  formatMoment,
  formatMs,
  formatPhone,
  formatSeconds,
  sentence,
  withoutBreaks,
} from './format.ts';

describe('a phone number', () => {
  it.each([
    ['15550001001', '+1 555 000 1001'],
    ['447700900123', '+44 770 090 0123'],
    ['status@broadcast', 'status@broadcast'],
  ])('%s reads %s', (phone, written) => {
    expect(formatPhone(phone)).toBe(written);
  });
});

describe('a moment', () => {
  const at = Date.UTC(2026, 6, 18, 12);
  it.each([
    [-5, 'just now'],
    [-61, '1 minute ago'],
    [-3 * 3_600, '3 hours ago'],
    [2 * 86_400, 'in 2 days'],
  ])('%i seconds away reads %s', (seconds, written) => {
    expect(formatAgo(at / 1_000 + seconds, at)).toBe(written);
  });

  it('has seconds only when it is of today', () => {
    expect(formatMoment(at / 1_000 - 5, at)).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(formatMoment(at / 1_000 - 3 * 86_400, at)).toMatch(/^15 Jul, \d\d:\d\d$/);
  });

  it('is also read from text', () => {
    expect(formatAgo('2026-07-17T12:00:00.000Z', at)).toBe('yesterday');
  });
});

describe('durations', () => {
  it('use the unit that fits', () => {
    expect([formatMs(84), formatMs(1_240), formatMs(12_400)]).toEqual(['84 ms', '1.2 s', '12 s']);
    expect(formatMs(90_000)).toBe('1 min 30 s');
    expect([formatSeconds(42), formatSeconds(300), formatSeconds(7_260)]).toEqual([
      '42 s',
      '5 min 0 s',
      '2 h 1 min',
    ]);
  });
});

it('makes a sentence of the gateway’s short descriptions', () => {
  expect(sentence('email or password is wrong')).toBe('Email or password is wrong.');
  expect(sentence('Already one.')).toBe('Already one.');
});

describe('what a change was about', () => {
  it('is listed in words, without empty values', () => {
    expect(formatDetail({ name: 'Reports', phone: null, permissions: ['groups', 'contacts'] })).toBe(
      'name: Reports, permissions: groups contacts',
    );
  });

  it('keeps nested values together', () => {
    expect(formatDetail({ partner_limits: { per_minute: 60, per_period: 80 } })).toBe(
      'partner limits: (per minute: 60, per period: 80)',
    );
    expect(formatDetail({ phone: '15550001001' })).toBe('phone: +1 555 000 1001');
    expect(formatDetail({})).toBe('');
    expect(withoutBreaks('Text from +1 555 000 4101 today')).toBe(
      'Text from +1\u00a0555\u00a0000\u00a04101 today',
    );
  });
});
