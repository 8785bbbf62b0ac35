import { expect, it } from 'vitest';
import { createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import { createKnownBrowsers } from './known-browser.ts';

const clock = createSteppedClock();
const boxOf = (byte: number) =>
  createSealedBox({ masterKeys: [Buffer.alloc(32, byte)], random: systemRandom });
const browsers = createKnownBrowsers({ sealedBox: boxOf(7), clock, secure: false });
const cookieIn = (setCookie: string): string => setCookie.split(';')[0] ?? '';

it('recognises a browser only for the members who have signed in with it', () => {
  let cookie = cookieIn(browsers.remember(undefined, 'Ada@example.com'));
  expect(browsers.isKnown(cookie, 'ada@example.com')).toBe(true);
  expect(browsers.isKnown(cookie, 'grace@example.com')).toBe(false);
  cookie = cookieIn(browsers.remember(cookie, 'grace@example.com'));
  for (const email of ['ada@example.com', 'grace@example.com'])
    expect(browsers.isKnown(`other=1; ${cookie}`, email)).toBe(true);
});

it('limits its size, contains no names, and expires after three months', () => {
  let cookie = '';
  const emails = Array.from({ length: 8 }, (_, i) => `${'x'.repeat(200)}${i}@example.com`);
  for (const email of emails) cookie = cookieIn(browsers.remember(cookie, email));
  expect(cookie.length).toBeLessThan(600);
  expect(emails.filter((email) => browsers.isKnown(cookie, email))).toEqual(emails.slice(3));
  clock.advance(90 * 24 * 3_600_000);
  expect(emails.some((email) => browsers.isKnown(cookie, email))).toBe(false);
});

it('accepts no forged cookie', () => {
  const forger = createKnownBrowsers({ sealedBox: boxOf(8), clock, secure: false });
  for (const cookie of ['', 'parley_known=', 'parley_known=x', `parley_known=${'A'.repeat(5_000)}`])
    expect(browsers.isKnown(cookie, 'ada@example.com')).toBe(false);
  const forged = cookieIn(forger.remember(undefined, 'ada@example.com'));
  expect(browsers.isKnown(forged, 'ada@example.com')).toBe(false);
});

it('sets a cookie that scripts cannot read, for the sign-in path only', () => {
  const secure = createKnownBrowsers({ sealedBox: boxOf(7), clock, secure: true });
  expect(secure.remember(undefined, 'ada@example.com')).toMatch(
    /^__Secure-parley_known=[\w-]+; Max-Age=7776000; Path=\/portal\/api\/sign-in; HttpOnly; SameSite=Strict; Secure$/,
  );
});
