import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSteppedClock, type TravelClock } from '#kernel';
import { databaseNames, OPERATOR_TOKEN, startGateway, type TestGateway } from '#testing';
import { expectRefusal, openBrowser } from '../testing/browser.ts';
import { newPhone, PASSWORD, register, signIn } from '../testing/owners.ts';

describe.each(databaseNames)(
  'the limits of the portal, after time travel of the sandbox (%s)',
  (database) => {
    let gateway: TestGateway;
    let clock: TravelClock;

    beforeAll(async () => {
      clock = createSteppedClock();
      const environment = { PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN };
      gateway = await startGateway({ database, environment, clock, machineClock: createSteppedClock() });
    });
    afterAll(() => gateway.close());

    it('still refuse after too many guesses, when another member tries out a send', async () => {
      const owner = await signIn(gateway);
      const { phone } = await register(owner);
      const guesser = openBrowser(gateway, '198.51.100.99');
      const guess = () => guesser.ask('POST', '/sign-in', { email: owner.email, password: 'a guess' });
      for (let i = 0; i < 5; i++) expectRefusal(await guess(), 'sign_in_failed');
      expectRefusal(await guess(), 'sign_in_too_often');

      clock.advance(24 * 3_600_000);
      await owner.browser.ask('POST', '/test-sends', {
        session_id: `${phone}@s.whatsapp.net`,
        to: newPhone(),
        text: 'hello',
      });
      expectRefusal(await guess(), 'sign_in_too_often');
      expect(
        (await owner.browser.ask('POST', '/sign-in', { email: owner.email, password: PASSWORD })).statusCode,
      ).toBe(200);
    });
  },
);
