import { Curve } from 'baileys';
import type { Vault } from '../world/index.ts';
import { fromBytes, toBytes } from './json-bytes.ts';
import type { ServerIdentity } from './transport/certificates.ts';

const SCOPE = 'server';
const KEY = 'identity';

/** The server's own keys: created once, so that a client which pinned the root accepts the server again. */
export function readServerIdentity(vault: Vault): ServerIdentity {
  const kept = vault.read(SCOPE, KEY);
  if (kept) return fromBytes<ServerIdentity>(kept);
  const made: ServerIdentity = { root: Curve.generateKeyPair(), staticKey: Curve.generateKeyPair() };
  vault.write(SCOPE, KEY, toBytes(made));
  return made;
}
