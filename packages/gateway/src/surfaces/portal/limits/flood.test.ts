import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashing } from '#accounts/testing';
import { createSteppedClock, type TravelClock } from '#kernel';
import { startGateway, type TestGateway } from '#testing';
import { type Answer, type Browser, openBrowser } from '../testing/browser.ts';
import { type Owner, PASSWORD, signIn } from '../testing/owners.ts';

const FLOOD = 80;

/** A hash cost that lets a queue form. */
const PRICE = { N: 2 ** 13, r: 8, p: 1 };
const cheap = hashing.cost;

describe('during a flood of the sign-in by strangers', () => {
  let gateway: TestGateway;
  let ada: Owner;
  let machineClock: TravelClock;

  beforeAll(async () => {
    // The clock stands still, so limits do not refill during a test, however long it takes.
    machineClock = createSteppedClock();
    gateway = await startGateway({ machineClock });
    ada = await signIn(gateway, { address: '203.0.113.1' });
    hashing.cost = PRICE;
  });
  afterAll(async () => {
    hashing.cost = cheap;
    await gateway.close();
  });

  const enter = (address: string, email = ada.email) =>
    openBrowser(gateway, address).ask('POST', '/sign-in', {
      email,
      password: email === ada.email ? PASSWORD : 'a guess',
    });
  const enterAgain = (browser: Browser) =>
    browser.ask('POST', '/sign-in', { email: ada.email, password: PASSWORD });

  /** Sequential guesses at different accounts. */
  async function guessFrom(addressOf: (i: number) => string, times: number): Promise<void> {
    hashing.cost = cheap;
    for (let i = 0; i < times; i++) await enter(addressOf(i), `unknown-${i}@example.com`);
    hashing.cost = PRICE;
  }

  /** Guesses at different accounts, so that the limit of the network applies. */
  function flood(addressOf: (i: number) => string) {
    const answers: Answer[] = [];
    const all = Array.from({ length: FLOOD }, async (_, i) => {
      answers.push(await enter(addressOf(i), `unknown-${addressOf(i)}@example.com`));
    });
    return {
      answers,
      end: () => Promise.all(all),
      tried: () => answers.filter(({ statusCode }) => statusCode === 401).length,
    };
  }

  it('a whole /64 has the attempts of one client, and an owner elsewhere signs in', async () => {
    const one = flood((i) => `2001:db8:1:1::${(i + 1).toString(16)}`);
    expect((await enter('203.0.113.2')).statusCode).toBe(200);
    await one.end();
    expect(one.tried()).toBeLessThanOrEqual(30);
    for (const { statusCode, headers } of one.answers)
      if (statusCode !== 401) {
        expect(statusCode).toBe(429);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
    // The limit is used up for every address of the network.
    await guessFrom(() => '2001:db8:1:1::ffff', 30 - one.tried());
    expect((await enter('2001:db8:1:1:ffff::1')).statusCode).toBe(429);
    expect((await enter('2001:db8:1:2::1')).statusCode).toBe(200);
  });

  it('a /48 with a /64 for each attempt has those of a few clients, and an owner elsewhere signs in', async () => {
    const many = flood((i) => `2001:db8:2:${i.toString(16)}::1`);
    expect((await enter('2001:db8:3:1::1')).statusCode).toBe(200);
    await many.end();
    // Two run, twelve wait, and one later call has replaced one of those.
    expect(many.tried()).toBeLessThan(FLOOD / 2);
    await guessFrom((i) => `2001:db8:2:${(0x1000 + i).toString(16)}::1`, 8 * 30 - many.tried());
    expect((await enter('2001:db8:2:ffff::1')).statusCode).toBe(429);
    expect((await enter('2001:db8:4:1::1')).statusCode).toBe(200);
  });

  it('a browser that the owner has used before goes first', async () => {
    const everywhere = flood((i) => `198.51.100.${i}`);
    const isFull = () => everywhere.answers.some(({ statusCode }) => statusCode === 503);
    await expect.poll(isFull, { interval: 5, timeout: 30_000 }).toBe(true);
    const before = everywhere.tried();
    expect((await enterAgain(ada.browser)).statusCode).toBe(200);
    const meanwhile = everywhere.tried() - before;
    await everywhere.end();
    // Most of the earlier calls were still waiting.
    expect(meanwhile).toBeLessThan((everywhere.tried() - before) / 2);
    for (const { statusCode, headers } of everywhere.answers)
      if (statusCode !== 401) expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  });

  it('the owner signs in with a known browser, even from the flooding network', async () => {
    const place = '192.0.2.7';
    const own = openBrowser(gateway, place);
    expect((await enterAgain(own)).statusCode).toBe(200);
    await guessFrom(() => place, 30);
    expect((await enter(`::ffff:${place}`)).statusCode).toBe(429);
    expect((await enterAgain(own)).statusCode).toBe(200);
  });

  it('the owner of a guessed account is not delayed in a known browser', async () => {
    const guess = (i: number) =>
      openBrowser(gateway, `203.0.113.${i}`).ask('POST', '/sign-in', {
        email: ada.email,
        password: 'a guess',
      });
    for (let i = 10; i < 20; i++) expect((await guess(i)).statusCode).toBe(401);
    // These wait for the machine's clock, which stands still.
    const held = Array.from({ length: 50 }, (_, i) => guess(30 + i));
    expect((await enterAgain(ada.browser)).statusCode).toBe(200);
    machineClock.advance(60_000);
    await Promise.all(held);
  });
});
