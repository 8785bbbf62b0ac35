import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readEnvironment } from '#config';
import { createSystemClock, systemRandom } from '#kernel';
import { type Bus, BusUnreachable, CallBroken } from '../port.ts';
import { describeBus } from '../testing/conformance.ts';
import { connectNatsBus } from './nats-bus.ts';
import { type Relay, startRelay } from './testing/relay.ts';

const clock = createSystemClock();
/** Unique, because other tests may share the server. */
const subject = `parley-test.${Buffer.from(systemRandom.bytes(6)).toString('hex')}`;
const server = readEnvironment().PARLEY_TEST_NATS_URL ?? '';
if (server === '') throw new Error('PARLEY_TEST_NATS_URL is not set: use `npm test`, which starts NATS.');

function connectTo(url: string): Promise<Bus> {
  const files = { credentialsFile: undefined, caFile: undefined, certFile: undefined, keyFile: undefined };
  const log = { info: () => {}, warn: () => {} };
  const settings = { servers: [url], ...files };
  return connectNatsBus({ settings, subject, clock, random: systemRandom, log });
}

describeBus('NATS', async () => {
  const [here, there] = await Promise.all([connectTo(server), connectTo(server)]);
  const both = [here, there];
  return {
    here,
    there,
    settled: async () => void (await Promise.all(both.map((bus) => bus.check()))),
    advance: (ms) => clock.sleep(ms),
    dispose: async () => void (await Promise.all(both.map((bus) => bus.close()))),
  };
});

describe('a bus whose server is lost', () => {
  let relay: Relay;
  let here: Bus;
  let there: Bus;
  beforeEach(async () => {
    relay = await startRelay(server);
    [here, there] = await Promise.all([connectTo(relay.url), connectTo(server)]);
  });
  afterEach(async () => {
    await Promise.all([here.close(), there.close()]);
    relay.stop();
  });

  async function loseServer(): Promise<void> {
    relay.cut();
    await vi.waitFor(() => expect(here.check()).rejects.toThrow(BusUnreachable));
  }

  it('keeps working inside this process, and reports at once that no other process is reachable', async () => {
    const received: unknown[] = [];
    there.serve('far', async () => 'far');
    here.serve('near', async () => 'near');
    here.subscribe('topic', (message) => received.push(message));
    await loseServer();
    expect(await here.call('near', null, { timeoutMs: 1_000 })).toBe('near');
    here.publish('topic', 'word');
    await vi.waitFor(() => expect(received).toEqual(['word']));
    await expect(here.call('far', null, { timeoutMs: 60_000 })).rejects.toThrow(BusUnreachable);
  });

  it('breaks off the calls in progress instead of repeating them', async () => {
    const begun = Promise.withResolvers<void>();
    let times = 0;
    there.serve('slow', () => {
      times++;
      begun.resolve();
      return new Promise(() => {});
    });
    await there.check();
    const call = expect(here.call('slow', null, { timeoutMs: 60_000 })).rejects.toThrow(BusUnreachable);
    await begun.promise;
    await loseServer();
    await call;
    relay.mend();
    await vi.waitFor(() => here.check(), { timeout: 10_000 });
    expect(times).toBe(1);
  });

  it('serves, calls and listens as before after it reconnects', async () => {
    const received: unknown[] = [];
    here.serve('near', async () => 'near');
    there.serve('far', async () => 'far');
    here.subscribe('topic', (message) => received.push(message));
    await loseServer();
    here.publish('topic', 'before the reconnect');
    relay.mend();
    await vi.waitFor(() => here.check(), { timeout: 10_000 });
    expect(await here.call('far', null, { timeoutMs: 1_000 })).toBe('far');
    expect(await there.call('near', null, { timeoutMs: 1_000 })).toBe('near');
    there.publish('topic', 'word');
    await vi.waitFor(() => expect(received).toEqual(['before the reconnect', 'word']));
  });
});

describe('a bus of several processes', () => {
  it('answers a call whose result cannot be transferred, instead of leaving its caller waiting', async () => {
    const [here, there] = await Promise.all([connectTo(server), connectTo(server)]);
    there.serve('odd', async () => ({ call: () => {} }));
    await there.check();
    await expect(here.call('odd', null, { timeoutMs: 60_000 })).rejects.toThrow(CallBroken);
    await Promise.all([here.close(), there.close()]);
  });

  it('reports in one line which server cannot be used', async () => {
    const closed = await startRelay(server);
    closed.stop();
    const address = closed.url.replace('nats://', 'nats://user:geheim@');
    await expect(connectTo(address)).rejects.toThrow(
      new BusUnreachable(`cannot use the bus at ${closed.url}: connection refused`),
    );
  });
});
