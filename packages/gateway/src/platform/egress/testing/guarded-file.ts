import { Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { type AllowedHosts, guardConnections } from '../connection-guard.ts';

/** Guards the connections of this file of tests, and not those of the next one in the same thread. Returns the refused hosts. */
export function guardFile(hosts: AllowedHosts): string[] {
  const refused: string[] = [];
  const { connect } = Socket.prototype;
  beforeAll(() => guardConnections({ hosts, onRefused: (host) => refused.push(host) }));
  afterAll(() => {
    Socket.prototype.connect = connect;
  });
  return refused;
}
