import type { Plan } from '@parley/contract';
import { createAccount, registerDevice } from '#accounts';
import { createEventLog, type EventLog } from '#events';
import { MASTER_KEY } from '#events/testing';
import {
  createIds,
  createSealedBox,
  createSeededRandom,
  createSteppedClock,
  type SealedBox,
  systemRandom,
  type TravelClock,
} from '#kernel';
import { type Bus, createLocalBus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import type { Store } from '#platform/store';
import type { WebhooksContext } from '../context.ts';
import { createDeliveries, type Deliveries, type DeliveriesParts } from '../delivery/deliveries.ts';

export const COMMAND_MODULES = ['../../events/write-commands.ts', '../write-commands.ts'].map(
  (path) => new URL(path, import.meta.url),
);

/** Events and webhooks as a test uses them: one database, a clock of its own, and no network. */
export interface TestHarness extends WebhooksContext {
  readonly clock: TravelClock;
  readonly bus: Bus;
  readonly sealedBox: SealedBox;
  readonly log: EventLog;
  newNumber(plan?: Plan): Promise<OwnedNumber>;
  /** A part that delivers, as one process has it; started. */
  deliverWith(egress: DeliveriesParts['egress'], overrides?: Partial<DeliveriesParts>): Deliveries;
}

let made = 0;

export function createHarness(store: Store): TestHarness {
  const clock = createSteppedClock();
  const bus = createLocalBus({ clock });
  const random = createSeededRandom(7);
  const ids = createIds({ clock, random: systemRandom });
  const sealedBox = createSealedBox({ masterKeys: [MASTER_KEY], random: systemRandom });
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const urlRules = { httpsOnly: false, publicOnly: false };
  const plans = new Map<string, Plan>();
  const planOf = async (_accountId: string, phone: string) => plans.get(phone);

  return {
    store,
    bus,
    clock,
    ids,
    random,
    sealedBox,
    planOf,
    urlRules,
    log: createEventLog({
      ...{ store, bus, sealedBox, clock },
      isNotifiedByStore: store.dialect === 'sqlite',
    }),

    async newNumber(plan = 'max') {
      const accounts = { store, clock, ids, random };
      const serial = ++made;
      const email = `owner-${serial}-${ids.request()}@example.com`;
      const account = await createAccount(accounts, 'operator', { name: 'Ada', email });
      const phone = `1555${String(serial).padStart(7, '0')}`;
      const device = await registerDevice(accounts, 'operator', account.account_id, { phone, plan });
      plans.set(phone, plan);
      return { accountId: account.account_id, slotId: device.slot_id, phone, plan };
    },

    deliverWith(egress, overrides = {}) {
      const deliveries = createDeliveries({
        store,
        bus,
        clock,
        // Whatever a test does to its clock, no time passes on the machine.
        machineClock: createSteppedClock(),
        random,
        sealedBox,
        egress,
        log: silent,
        planOf,
        isNotifiedByStore: store.dialect === 'sqlite',
        ...overrides,
      });
      deliveries.start();
      return deliveries;
    },
  };
}
