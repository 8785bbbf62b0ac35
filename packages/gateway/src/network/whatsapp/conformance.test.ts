import { expect, test } from 'vitest';
import { guardFile } from '#platform/egress/testing';
import { describeNetworkDriver } from '../testing/conformance/index.ts';
import { startWorld } from './testing/worlds.ts';

/** Of the sandboxes of this file. */
const servers: string[] = [];
const refused = guardFile(servers);

describeNetworkDriver('whatsapp', () => startWorld('lid', (...hosts) => servers.push(...hosts)));

test('all that the suite asks for needs no connection to a host outside the network', () => {
  expect(servers.length).toBeGreaterThan(0);
  expect(refused).toEqual([]);
});
