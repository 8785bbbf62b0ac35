import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashing } from '#accounts/testing';
import { createSteppedClock, type TravelClock } from '#kernel';
import { startGateway, type TestGateway } from '#testing';
import { type Answer, type Browser, openBrowser } from '../testing/browser.ts';
import { type Owner, PASSWORD, signIn } from '../testing/owners.ts';

const FLOOD = 80;

/** Passwords are hashed at a price that lets a line form. */
const PRICE = { N: 2 ** 15, r: 8, p: 1 };
const cheap = hashing.cost;

describe('while strangers flood the sign-in', () => {
  let gateway: TestGateway;
  let ada: Owner;
  let machineClock: TravelClock;

  beforeAll(async () => {
    // Limits do not grow again while a test goes on, however long it takes.
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

  /** One after the other, of other accounts. */
  async function guessFrom(addressOf: (i: number) => string, times: number): Promise<void> {
    hashing.cost = cheap;
    for (let i = 0; i < times; i++) await enter(addressOf(i), `nobody-${i}@example.com`);
    hashing.cost = PRICE;
  }

  /** Each guess at another account, so that it is the place that is held to its share. */
  function flood(addressOf: (i: number) => string) {
    const answers: Answer[] = [];
    const all = Array.from({ length: FLOOD }, async (_, i) => {
      answers.push(await enter(addressOf(i), `nobody-${addressOf(i)}@example.com`));
    });
    return {
      answers,
      end: () => Promise.all(all),
      tried: () => answers.filter(({ statusCode }) => statusCode === 401).length,
    };
  }

  it('from one /64, all of it has the tries of one place, and an owner elsewhere comes in', async () => {
    const one = flood((i) => `2001:db8:1:1::${(i + 1).toString(16)}`);
    expect((await enter('203.0.113.2')).statusCode).toBe(200);
    await one.end();
    expect(one.tried()).toBeLessThanOrEqual(30);
    for (const { statusCode, headers } of one.answers)
      if (statusCode !== 401) {
        expect(statusCode).toBe(429);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
    // What is used up is used up for every address of it.
    await guessFrom(() => '2001:db8:1:1::ffff', 30 - one.tried());
    expect((await enter('2001:db8:1:1:ffff::1')).statusCode).toBe(429);
    expect((await enter('2001:db8:1:2::1')).statusCode).toBe(200);
  });

  it('from a /48 with a /64 for each try, it has no more than a few places, and an owner elsewhere comes in', async () => {
    const many = flood((i) => `2001:db8:2:${i.toString(16)}::1`);
    expect((await enter('2001:db8:3:1::1')).statusCode).toBe(200);
    await many.end();
    // Two at once and twelve in line, and whoever came after one of those.
    expect(many.tried()).toBeLessThan(FLOOD / 2);
    await guessFrom((i) => `2001:db8:2:${(0x1000 + i).toString(16)}::1`, 8 * 30 - many.tried());
    expect((await enter('2001:db8:2:ffff::1')).statusCode).toBe(429);
    expect((await enter('2001:db8:4:1::1')).statusCode).toBe(200);
  });

  it('from everywhere, the browser that the owner has used before goes first', async () => {
    const everywhere = flood((i) => `198.51.100.${i}`);
    const isFull = () => everywhere.answers.some(({ statusCode }) => statusCode === 503);
    await expect.poll(isFull, { interval: 5, timeout: 30_000 }).toBe(true);
    const before = everywhere.tried();
    expect((await enterAgain(ada.browser)).statusCode).toBe(200);
    const meanwhile = everywhere.tried() - before;
    await everywhere.end();
    // Most of those who were there before were still waiting.
    expect(meanwhile).toBeLessThan((everywhere.tried() - before) / 2);
    for (const { statusCode, headers } of everywhere.answers)
      if (statusCode !== 401) expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  });

  it('from the very network of the owner, their own browser still comes in', async () => {
    const place = '192.0.2.7';
    const own = openBrowser(gateway, place);
    expect((await enterAgain(own)).statusCode).toBe(200);
    await guessFrom(() => place, 30);
    expect((await enter(`::ffff:${place}`)).statusCode).toBe(429);
    expect((await enterAgain(own)).statusCode).toBe(200);
  });

  it('at an account, its owner is not slowed down in a browser of theirs', async () => {
    const guess = (i: number) =>
      openBrowser(gateway, `203.0.113.${i}`).ask('POST', '/sign-in', {
        email: ada.email,
        password: 'a guess',
      });
    for (let i = 10; i < 20; i++) expect((await guess(i)).statusCode).toBe(401);
    // These wait for the clock of the machine, which stands still.
    const held = Array.from({ length: 50 }, (_, i) => guess(30 + i));
    expect((await enterAgain(ada.browser)).statusCode).toBe(200);
    machineClock.advance(60_000);
    await Promise.all(held);
  });
});
