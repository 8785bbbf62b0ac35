import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bareJid,
  formatJid,
  isGroup,
  isNewsletter,
  isPerson,
  JID_PATTERNS,
  parseJid,
  parseSessionId,
  parseUsername,
  phoneDigits,
  phoneOf,
  recipientJid,
  sessionJid,
  userJid,
} from './jid.ts';

describe('parsing an address', () => {
  test.each([
    ['15550001001@s.whatsapp.net', { kind: 'user', user: '15550001001', device: null }],
    ['15550001001:12@s.whatsapp.net', { kind: 'user', user: '15550001001', device: 12 }],
    ['15550001001:123@s.whatsapp.net', { kind: 'user', user: '15550001001', device: 123 }],
    ['12345@s.whatsapp.net', { kind: 'user', user: '12345', device: null }],
    ['123456789012345@s.whatsapp.net', { kind: 'user', user: '123456789012345', device: null }],
    ['99999@s.whatsapp.net', { kind: 'user', user: '99999', device: null }],
    ['123456789012345@lid', { kind: 'lid', user: '123456789012345', device: null }],
    ['123456789012345:3@lid', { kind: 'lid', user: '123456789012345', device: 3 }],
    ['120363041234567890@g.us', { kind: 'group', user: '120363041234567890', device: null }],
    ['15550001001-1600000000@g.us', { kind: 'group', user: '15550001001-1600000000', device: null }],
    ['120363107654321098@newsletter', { kind: 'newsletter', user: '120363107654321098', device: null }],
    ['status@broadcast', { kind: 'status', user: 'status', device: null }],
  ])('%s is understood, and written back the same', (text, jid) => {
    const parsed = parseJid(text);
    expect(parsed).toEqual(jid);
    expect(parsed === null ? null : formatJid(parsed)).toBe(text);
  });

  test.each([
    '',
    '@',
    '15550001001',
    '15550001001@',
    '@s.whatsapp.net',
    'ada@s.whatsapp.net',
    '015550001001@s.whatsapp.net',
    '1234@s.whatsapp.net',
    '1234567890123456@s.whatsapp.net',
    '15550001001:@s.whatsapp.net',
    '15550001001:1234@s.whatsapp.net',
    '120363041234567890:1@g.us',
    '15550001001@s.whatsapp.net ',
    '15550001001@s.whatsapp.net\n',
    '15550001001@evil.example@s.whatsapp.net',
    '15550001001@c.us',
  ])('%j is no address', (text) => {
    expect(parseJid(text)).toBeNull();
  });

  test('parsing never throws, and formatting restores every accepted text', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('', '@s.whatsapp.net', '@lid', '@g.us', '@newsletter'),
        (head, tail) => {
          const parsed = parseJid(head + tail);
          if (parsed !== null && !/:0\d/.test(head)) expect(formatJid(parsed)).toBe(head + tail);
        },
      ),
    );
  });
});

test('builds addresses from numbers', () => {
  expect(userJid('15550001001')).toBe('15550001001@s.whatsapp.net');
  expect(sessionJid('15550001001', 2)).toBe('15550001001:2@s.whatsapp.net');
});

test('removes a device suffix and nothing else', () => {
  expect(bareJid('15550001001:2@s.whatsapp.net')).toBe('15550001001@s.whatsapp.net');
  expect(bareJid('120363041234567890@g.us')).toBe('120363041234567890@g.us');
  expect(bareJid('no address')).toBe('no address');
});

test('reads a phone number from addresses of users only', () => {
  expect(phoneOf('15550001001:2@s.whatsapp.net')).toBe('15550001001');
  expect(phoneOf('123456789012345@lid')).toBeNull();
  expect(phoneOf('120363041234567890@g.us')).toBeNull();
});

test('distinguishes the kinds', () => {
  expect(isGroup('120363041234567890@g.us')).toBe(true);
  expect(isGroup('15550001001@s.whatsapp.net')).toBe(false);
  expect(isNewsletter('120363107654321098@newsletter')).toBe(true);
  expect(isPerson('123456789012345@lid')).toBe(true);
  expect(isPerson('15550001001@s.whatsapp.net')).toBe(true);
  expect(isPerson('120363041234567890@g.us')).toBe(false);
});

test('reads the number of a session id with or without device', () => {
  expect(parseSessionId('15550001001:2@s.whatsapp.net')).toEqual({ phone: '15550001001', device: 2 });
  expect(parseSessionId('15550001001@s.whatsapp.net')).toEqual({ phone: '15550001001', device: null });
  expect(parseSessionId('120363041234567890@g.us')).toBeNull();
});

test.each([
  ['15550001001', null],
  ['+15550001001', null],
  // A `+` in a query string decodes to a space.
  [' 15550001001', null],
  ['15550001001@c.us', null],
  ['+15550001001@s.whatsapp.net', null],
  ['+15550001001:2@s.whatsapp.net', 2],
  ['15550001001:2@c.us', 2],
])('the session id %j is understood', (text, device) => {
  expect(parseSessionId(text)).toEqual({ phone: '15550001001', device });
});

test.each(['', '+', '1234', '++15550001001', '15550001001@', '15550001001:2', '+1 555 000 1001', 'c.us'])(
  'refuses the session id %j',
  (text) => {
    expect(parseSessionId(text)).toBeNull();
  },
);

test.each([
  ['15550002001', '15550002001@s.whatsapp.net'],
  ['15550002001@s.whatsapp.net', '15550002001@s.whatsapp.net'],
  ['15550002001:4@s.whatsapp.net', '15550002001@s.whatsapp.net'],
  ['123456789012345@lid', '123456789012345@lid'],
  ['120363041234567890@g.us', '120363041234567890@g.us'],
  ['+15550002001', '15550002001@s.whatsapp.net'],
  ['15550002001@c.us', '15550002001@s.whatsapp.net'],
  ['+15550002001@c.us', '15550002001@s.whatsapp.net'],
  ['+120363041234567890@g.us', null],
  ['+123456789012345@lid', null],
  ['1234', null],
  ['120363107654321098@newsletter', null],
  ['status@broadcast', null],
])('to: %s becomes %s', (to, jid) => {
  expect(recipientJid(to)).toBe(jid);
});

test.each([
  ['+1 (555) 000-1001', '15550001001'],
  ['15550001001', '15550001001'],
  ['015550001001', null],
  ['++15550001001', null],
  ['call me', null],
])('the number people write as %j has the digits %s', (text, digits) => {
  expect(phoneDigits(text)).toBe(digits);
});

test.each([
  ['@ada', { username: 'ada' }],
  ['@ada.byron_1815', { username: 'ada.byron_1815' }],
  ['@Ada:1234', { username: 'Ada', key: '1234' }],
  [`@${'a'.repeat(35)}`, { username: 'a'.repeat(35) }],
  ['ada', null],
  ['@ad', null],
  [`@${'a'.repeat(36)}`, null],
  ['@12345', null],
  ['@.ada', null],
  ['@ada.', null],
  ['@a..da', null],
  ['@www.ada', null],
  ['@ada byron', null],
  ['@ada:123', null],
  ['@ada:12345', null],
  ['@ada:abcd', null],
  ['@ada@s.whatsapp.net', null],
])('the username %j is read as %j', (text, read) => {
  expect(parseUsername(text)).toEqual(read);
  expect(new RegExp(JID_PATTERNS.recipient).test(text)).toBe(read !== null);
});
