import { scryptSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { systemRandom } from '#kernel';
import { hashing, hashPassword, RECOMMENDED, verifyPassword } from './passwords.ts';

describe('a password', () => {
  const ofTests = hashing.cost;
  afterEach(() => {
    hashing.cost = ofTests;
  });

  it('opens with itself only, and is not to be read from its hash', async () => {
    hashing.cost = RECOMMENDED;
    const stored = await hashPassword('correct horse battery', systemRandom);
    expect(stored).toMatch(/^scrypt\$131072\$8\$1\$/);
    expect(stored).not.toContain('correct');
    expect(await verifyPassword('correct horse battery', stored)).toBe(true);
    expect(await verifyPassword('correct horse batterz', stored)).toBe(false);
    expect(await verifyPassword('', stored)).toBe(false);
  });

  it('has another hash each time', async () => {
    const [one, two] = await Promise.all(['same', 'same'].map((each) => hashPassword(each, systemRandom)));
    expect(one).not.toBe(two);
  });

  it('is the same for every composition of its characters', async () => {
    const stored = await hashPassword('caf\u00e9 au lait', systemRandom);
    expect(await verifyPassword('cafe\u0301 au lait', stored)).toBe(true);
  });

  it('is refused against a hash of an unknown kind', async () => {
    for (const stored of ['', 'plain', 'argon2id$1$2$3$c2FsdA==$aGFzaA==', 'scrypt$131072$8$1$$']) {
      expect(await verifyPassword('plain', stored), stored).toBe(false);
    }
  });

  it('is verified at the cost that its hash names', async () => {
    // Made with N = 2^10, as an older Parley might have.
    const cheap = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA==$';
    const hash = scryptSync('old', 'saltsaltsaltsalt', 32, { N: 1024, r: 8, p: 1 }).toString('base64');
    expect(await verifyPassword('old', cheap + hash)).toBe(true);
    expect(await verifyPassword('new', cheap + hash)).toBe(false);
  });
});
