import { expect, test } from 'vitest';
import { createAccount } from '#accounts';
import { apiError, createIds, createSealedBox, createSteppedClock, systemRandom } from '#kernel';
import { useStore } from '#testing';
import { createLimiter } from './limits/shared-limits.ts';
import { createSignIn, wrongPasswordsOf } from './sign-in.ts';

const testStore = useStore('SQLite');
const email = 'ada@example.com';
const password = 'the right password';

test('guesses from many places slow an account down, and never lock out an owner with the right password', async () => {
  const { store } = testStore;
  const clock = createSteppedClock();
  const random = systemRandom;
  const sealedBox = createSealedBox({ masterKeys: [Buffer.alloc(32, 7)], random });
  const ids = createIds({ clock, random });
  const members = { store, clock, machineClock: clock, ids, random, sealedBox, mail: undefined };
  const limiter = createLimiter({ store, clock, family: 'people' });
  const pauses: number[] = [];
  let held: Promise<void> | undefined;
  const { signIn } = createSignIn({
    members,
    limiter,
    signUpIsOpen: false,
    operatorToken: undefined,
    clock: {
      sleep: async (ms) => {
        pauses.push(ms);
        await held;
      },
    },
  });
  let places = 0;
  const from = () => ({ address: `198.51.100.${++places}`, isKnown: false });
  const { account_id: accountId } = await createAccount(members, 'operator', {
    name: 'Ada',
    email,
    password,
  });
  const guessed = async (times: number) => {
    for (let i = 0; i < times; i++) await limiter.count(wrongPasswordsOf(email));
  };

  await guessed(9);
  await expect(signIn({ email, password: 'a guess' }, from())).rejects.toMatchObject(
    apiError('sign_in_failed'),
  );
  expect(pauses).toEqual([]);
  await expect(signIn({ email: 'Ada@example.com', password: 'a guess' }, from())).rejects.toThrow();
  expect(pauses).toEqual([400]);
  // Correct passwords use up nothing.
  for (let i = 0; i < 2; i++) expect(await signIn({ email, password }, from())).toMatchObject({ accountId });
  expect(pauses).toEqual([400, 800, 800]);

  await guessed(200);
  expect(await signIn({ email, password }, from())).toMatchObject({ accountId });
  expect(pauses.at(-1)).toBe(8_000);

  // The queue of one account is limited; the next call is refused, and other accounts are not affected.
  held = new Promise(() => {});
  for (let i = 0; i < 50; i++) void signIn({ email, password: 'a guess' }, from());
  await expect.poll(() => pauses.length).toBe(54);
  await expect(signIn({ email, password }, from())).rejects.toMatchObject({ code: 'sign_in_too_often' });
  clock.advance(40 * 60_000);
  expect(await signIn({ email, password }, from())).toMatchObject({ accountId });
});
