import { join } from 'node:path';
import {
  createIds,
  createSealedBox,
  createSystemClock,
  systemRandom,
} from '../../../packages/gateway/src/kernel/index.ts';
import type { NetworkSession } from '../../../packages/gateway/src/network/index.ts';
import { createWhatsAppDriver } from '../../../packages/gateway/src/network/whatsapp/index.ts';
import { createProxyRoutes } from '../../../packages/gateway/src/platform/egress/index.ts';
import { migrations, openStore } from '../../../packages/gateway/src/platform/store/index.ts';
import { type Contender, type ContenderOptions, jidOf } from './contender.ts';

const POLL_MS = 500;
const DIGESTION_PATIENCE_MS = 120_000;

/** The driver as in the gateway: sealed records in a durable store, a journal for incoming items. */
export async function createParley({ address, folder }: ContenderOptions): Promise<Contender> {
  const clock = createSystemClock();
  const ids = createIds({ clock, random: systemRandom });
  const store = await openStore({
    url: `sqlite:${join(folder, 'parley.db')}`,
    commandModules: [new URL('../../../packages/gateway/src/network/write-commands.ts', import.meta.url)],
    migrations,
    clock,
  });
  const routes = createProxyRoutes({ clock, authority: address.mediaCaPem, mediaHost: address.mediaHost });
  const driver = createWhatsAppDriver({
    store,
    // The same in every process; a benchmark has no secrets.
    sealedBox: createSealedBox({ masterKeys: [Buffer.alloc(32, 1)], random: systemRandom }),
    clock,
    machineClock: clock,
    random: systemRandom,
    log: { debug() {}, warn() {} },
    endpoint: { url: address.url, rootPublicKey: address.rootPublicKey },
    mediaFor: routes.to,
  });
  const links = new Map<string, Promise<void>>();
  const sessions = new Map<string, NetworkSession>();

  async function waitingArrivals(): Promise<number> {
    const { waiting } = await store.read
      .selectFrom('network_journal')
      .where('taken_at', 'is', null)
      .select(({ fn }) => fn.countAll<number>().as('waiting'))
      .executeTakeFirstOrThrow();
    return waiting;
  }

  return {
    showQr: (phone) =>
      new Promise((resolve, reject) => {
        const linked = Promise.withResolvers<void>();
        links.set(phone, linked.promise);
        driver.pair({
          linkId: phone,
          phone,
          method: 'qr',
          onProgress(progress) {
            if (progress.kind === 'qr') resolve(progress.qr);
            if (progress.kind === 'paired') linked.resolve();
            if (progress.kind === 'failed') {
              reject(new Error(progress.reason));
              linked.reject(new Error(progress.reason));
            }
          },
        });
      }),
    async linked(phone) {
      await links.get(phone);
    },
    logIn: (phone) =>
      new Promise((resolve, reject) => {
        const session = driver.open({
          linkId: phone,
          fence: clock.now(),
          onState(state) {
            if (state.kind === 'connected') resolve();
            if (state.kind === 'ended') reject(new Error(`${phone} is ${state.cause}`));
          },
          onStanding() {},
          onEvents: async () => {},
        });
        sessions.set(phone, session);
      }),
    async send(from, to, text) {
      const session = sessions.get(from);
      if (!session) throw new Error(`${from} is not logged in`);
      await session.send({ messageId: ids.message(), to: jidOf(to), content: { kind: 'text', text } });
    },
    async contactsOf(phone) {
      const { known } = await store.read
        .selectFrom('network_records')
        .where('link_id', '=', phone)
        .where('kind', '=', 'contact')
        .select(({ fn }) => fn.countAll<number>().as('known'))
        .executeTakeFirstOrThrow();
      return known;
    },
    async close() {
      const deadline = clock.monotonic() + DIGESTION_PATIENCE_MS;
      while ((await waitingArrivals()) > 0) {
        if (clock.monotonic() > deadline) throw new Error('the journal does not drain');
        await clock.sleep(POLL_MS);
      }
      await driver.close();
      await store.close();
    },
  };
}
