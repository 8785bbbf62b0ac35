import { initAuthCreds } from 'baileys';
import { expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import { rotateQrs } from './qr-rotation.ts';

function rotate(refs: readonly string[]) {
  const clock = createSteppedClock(0);
  const creds = initAuthCreds();
  const shown: [string, number][] = [];
  let usedUp = 0;
  const rotation = rotateQrs({
    refs,
    creds,
    browser: ['Parley', 'Chrome', '126.0'],
    clock,
    show: (qr, expiresAt) => shown.push([qr, expiresAt]),
    onUsedUp: () => {
      usedUp += 1;
    },
  });
  const refsShown = () => shown.map(([qr]) => qr.slice(qr.indexOf('#') + 1).split(',')[0]);
  return { clock, creds, shown, refsShown, usedUp: () => usedUp, rotation };
}

test('a QR contains the ref, both keys and the secret', () => {
  const { creds, shown } = rotate(['2@a']);
  const [keys, identity] = [creds.noiseKey, creds.signedIdentityKey].map(({ public: key }) =>
    Buffer.from(key).toString('base64'),
  );
  expect(shown).toEqual([
    [`https://wa.me/settings/linked_devices#2@a,${keys},${identity},${creds.advSecretKey},1`, 60_000],
  ]);
});

test('shows the first for a minute and each other for twenty seconds, until the last', () => {
  const { clock, refsShown, shown, usedUp } = rotate(['a', 'b', 'c']);
  clock.advance(59_999);
  expect(refsShown()).toEqual(['a']);
  clock.advance(1);
  expect(refsShown()).toEqual(['a', 'b']);
  clock.advance(20_000);
  expect(shown.map(([, until]) => until)).toEqual([60_000, 80_000, 100_000]);
  expect(usedUp()).toBe(0);
  clock.advance(20_000);
  expect(usedUp()).toBe(1);
});

test('shows no more after it was stopped', () => {
  const { clock, refsShown, usedUp, rotation } = rotate(['a', 'b']);
  rotation.stop();
  clock.advance(600_000);
  expect(refsShown()).toEqual(['a']);
  expect(usedUp()).toBe(0);
});
