import { randomBytes, scryptSync } from 'node:crypto';

const CHEAP_PARAMETERS = 1_024;

/** As a gateway of other times could have stored a password, which put less work into it: tests sign in often. */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: CHEAP_PARAMETERS, r: 8, p: 1 });
  return ['scrypt', CHEAP_PARAMETERS, 8, 1, salt.toString('base64'), hash.toString('base64')].join('$');
}
