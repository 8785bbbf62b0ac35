import { expect, it, vi } from 'vitest';
import { createTestWorld } from '../world/fixture.ts';
import { createReach } from './reach.ts';

const reachOf = (listening: string, announced?: string, vault = createTestWorld().vault) => {
  const onLearned = vi.fn();
  return { reach: createReach({ vault, listening, announced, onLearned }), onLearned, vault };
};

it('is where the servers listen, however clients ask', () => {
  const { reach, onLearned } = reachOf('10.0.0.7');
  reach.learn('sandbox');
  expect(reach.host).toBe('10.0.0.7');
  expect(reach.names).toEqual(['localhost', '127.0.0.1', '10.0.0.7']);
  expect(onLearned).not.toHaveBeenCalled();
});

it('is the name that a client last asked by where the servers listen on all addresses, also after a restart', () => {
  const { reach, onLearned, vault } = reachOf('0.0.0.0');
  expect(reach.host).toBe('127.0.0.1');
  for (const name of ['sandbox', '[fd00::7]', 'sandbox', 'sandbox']) reach.learn(name);
  expect(onLearned).toHaveBeenCalledTimes(3);
  expect(reach.host).toBe('sandbox');
  expect(reach.names).toEqual(['localhost', '127.0.0.1', 'sandbox', 'fd00::7']);
  const again = reachOf('0.0.0.0', undefined, vault).reach;
  expect([again.host, again.names]).toEqual([reach.host, reach.names]);
  again.learn('fd00::7');
  expect(again.host).toBe('[fd00::7]');
});

it('prefers the name that is announced, and has certificates for the others too', () => {
  const { reach } = reachOf('::', 'phones.example');
  reach.learn('sandbox');
  expect(reach.host).toBe('phones.example');
  expect(reach.names).toEqual(['localhost', '127.0.0.1', 'phones.example', 'sandbox']);
});

it('learns names only, and a bounded number', () => {
  const { reach } = reachOf('0.0.0.0');
  for (const name of ['', 'a b', '-x', '0.0.0.0', 'a'.repeat(300)]) reach.learn(name);
  expect(reach.host).toBe('127.0.0.1');
  for (let count = 0; count < 50; count++) reach.learn(`host-${count}`);
  expect(reach.names).toHaveLength(18);
  expect(reach.host).toBe('host-49');
});
