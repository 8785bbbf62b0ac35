import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { systemRandom } from '#kernel';
import type { PairingRequest } from '#network';
import { type WatchedStore, watchStore } from '#testing';
import { registerWorker } from '../hosting/hosting-queries.ts';
import { describeSessions, ORIGIN } from '../testing/harness.ts';
import { cancelOnboarding } from './onboard.ts';
import { dropOldOnboardings } from './onboarding-queries.ts';
import { hashOf, insertOwnerLink } from './owner-link-queries.ts';
import { createPairingService, ONBOARDINGS_TOPIC } from './pairing-service.ts';

const WORKER = 'worker';

describeSessions('a worker’s pairing service', (harness) => {
  /** Service of a live worker, and what its driver was asked. */
  async function newService() {
    const { store: plain, bus, clock, machineClock, onboard } = harness();
    const store: WatchedStore = watchStore(plain);
    const requests: PairingRequest[] = [];
    const warnings: string[] = [];
    const outcomes: string[] = [];
    const writing = { fails: false };
    const ending = { conversation: Promise.resolve() };
    const lease = { now: machineClock.now(), leaseMs: 60_000, dropBefore: 0, keyIds: [] };
    await registerWorker(plain, { worker: WORKER, ...lease });
    const service = createPairingService({
      ...{ bus, clock, machineClock, random: systemRandom, secrets: onboard.secrets },
      store: {
        ...store,
        transaction(work) {
          if (writing.fails) throw new Error('out of reach');
          return store.transaction(work);
        },
      },
      log: { info() {}, warn: (_details: object, message: string) => void warnings.push(message) },
      driver: {
        pair(request) {
          requests.push(request);
          return { answerPasskey() {}, confirm() {}, cancel: () => ending.conversation };
        },
      },
      host: async () => {},
      onPairingEnded: (outcome) => void outcomes.push(outcome),
    });
    return { service, store, requests, warnings, outcomes, writing, ending };
  }

  async function untilHeld(store: WatchedStore): Promise<void> {
    await vi.waitFor(() => expect(store.heldReads).toBe(1));
  }

  it('takes up an attempt whose notification was lost, at the next renewal of the lease', async () => {
    const { service, requests } = await newService();
    await harness().start(await harness().newNumber());
    expect(requests).toEqual([]);
    await service.attend(WORKER);
    expect(requests).toHaveLength(1);
    await service.stop();
  });

  it('asks nothing about attempts that are over', async () => {
    const { service, store, requests } = await newService();
    const readsOf = async (work: () => Promise<void>): Promise<number> => {
      const before = store.reads;
      await work();
      return store.reads - before;
    };
    const idle = await readsOf(() => service.attend(WORKER));
    const number = await harness().newNumber();
    const id = await harness().start(number);
    await service.attend(WORKER);
    expect(await readsOf(() => service.attend(WORKER))).toBe(idle + 1);
    requests[0]?.onProgress({ kind: 'failed', reason: 'In plain words.' });
    await harness().pollUntil(number, id, 'error');
    await vi.waitFor(async () => expect(await readsOf(() => service.attend(WORKER))).toBe(idle));
    await service.stop();
  });

  it('logs that it cannot read the attempts, and reads them the next time', async () => {
    const { service, store, requests, warnings } = await newService();
    const start = async () => harness().start(await harness().newNumber());
    await start();
    await service.attend(WORKER);
    store.cutOff();
    await start();
    await vi.waitFor(() => expect(warnings).toEqual(['could not read the pairing attempts']));
    store.reconnect();
    await service.attend(WORKER);
    expect(requests).toHaveLength(2);
    await service.stop();
  });

  it('gives up an attempt whose steps it cannot write', async () => {
    const { service, requests, warnings, outcomes, writing } = await newService();
    await harness().start(await harness().newNumber());
    await service.attend(WORKER);
    writing.fails = true;
    requests[0]?.onProgress({ kind: 'qr', qr: 'first', expiresAt: harness().clock.now() + 60_000 });
    await vi.waitFor(() => expect(outcomes).toEqual(['failed']));
    expect(warnings).toEqual([
      'a step of a pairing attempt failed',
      'the end of a pairing attempt could not be stored',
    ]);
    writing.fails = false;
    await service.stop();
  });

  it('shows nothing of an attempt that has ended in the database', async () => {
    const { service, requests, outcomes } = await newService();
    const { onboard, clock } = harness();
    const number = await harness().newNumber();
    const id = await harness().start(number);
    await service.attend(WORKER);
    const unnoticed = { ...onboard, bus: { ...onboard.bus, publish() {} } };
    await cancelOnboarding(unnoticed, { ...number, phone: null, origin: ORIGIN }, id);
    const cancelled = await harness().poll(number, id);
    requests[0]?.onProgress({ kind: 'qr', qr: 'late', expiresAt: clock.now() + 60_000 });
    await vi.waitFor(() => expect(outcomes).toEqual(['given_up']));
    expect(await harness().poll(number, id)).toEqual(cancelled);
    await service.stop();
  });

  it('keeps outcomes and links for a day', async () => {
    const { store, clock } = harness();
    const number = await harness().newNumber();
    const day = 24 * 60 * 60_000;
    const left = async () => [
      (await store.read.selectFrom('onboardings').select('id').execute()).length,
      (await store.read.selectFrom('onboarding_links').select('token_hash').execute()).length,
    ];
    const id = await harness().start(number);
    await cancelOnboarding(harness().onboard, { ...number, phone: null, origin: ORIGIN }, id);
    const link = { tokenHash: hashOf('token'), at: clock.now() };
    await store.transaction((trx) => insertOwnerLink(trx, { onboardingId: id }, link));
    await dropOldOnboardings(store, clock.now() + day);
    expect(await left()).toEqual([1, 1]);
    await dropOldOnboardings(store, clock.now() + day + 1);
    expect(await left()).toEqual([0, 0]);
  });

  it('conducts nothing that it finds after its lease was lost', async () => {
    const { service, store, requests } = await newService();
    await service.attend(WORKER);
    const release = store.holdNextReadOf('onboardings');
    await harness().start(await harness().newNumber());
    await untilHeld(store);
    await service.cancelAll();
    release();
    await service.stop();
    expect(requests).toEqual([]);
  });

  it('stops when its conversations have ended', async () => {
    const { service, ending } = await newService();
    await harness().start(await harness().newNumber());
    await service.attend(WORKER);
    const conversation = Promise.withResolvers<void>();
    ending.conversation = conversation.promise;
    const order: string[] = [];
    const stop = service.stop().then(() => order.push('stopped'));
    await turns();
    order.push('conversation over');
    conversation.resolve();
    await stop;
    expect(order).toEqual(['conversation over', 'stopped']);
  });

  it('stops when it is not reading any more', async () => {
    const { service, store } = await newService();
    await service.attend(WORKER);
    const release = store.holdNextReadOf('onboardings');
    harness().bus.publish(ONBOARDINGS_TOPIC, null);
    await untilHeld(store);
    const order: string[] = [];
    const stop = service.stop().then(() => order.push('stopped'));
    await turns();
    order.push('read');
    release();
    await stop;
    expect(order).toEqual(['read', 'stopped']);
  });
});

/** Time for what does not wait for anything. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
