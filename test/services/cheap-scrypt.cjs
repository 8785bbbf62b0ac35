'use strict';

/**
 * Preloaded into a gateway whose tests sign in a hundred times: a password costs a third of a second of a core on purpose. Hashes of the
 * recommended cost are tested by `accounts/passwords.test.ts`.
 */
const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');

const CHEAP_N = 2 ** 10;
const { scrypt } = crypto;

crypto.scrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: Math.min(options.N, CHEAP_N) }, done);
syncBuiltinESMExports();
