import { DatabaseSync } from 'node:sqlite';
import {
  createSealedBox,
  createSystemClock,
  systemRandom,
} from '../../../packages/gateway/src/kernel/index.ts';
import type { NetworkEvent } from '../../../packages/gateway/src/network/index.ts';
import { createWhatsAppDriver } from '../../../packages/gateway/src/network/whatsapp/index.ts';
import { createProxyRoutes } from '../../../packages/gateway/src/platform/egress/index.ts';
import { migrations, openStore } from '../../../packages/gateway/src/platform/store/index.ts';
import type { ChildOrder, ChildReport } from './orders.ts';

/** The process that is killed: a driver with one session, and a recorder that stores each event durably before it confirms it. */
const order: ChildOrder = JSON.parse(process.argv[2] ?? '{}');
const clock = createSystemClock();
const report = (line: ChildReport): void => void process.send?.(line);

const recorder = new DatabaseSync(order.recorderFile);
recorder.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, offered INTEGER NOT NULL)`);
const write = recorder.prepare(
  `INSERT INTO events (id, message_id, offered) VALUES (?, ?, 1) ON CONFLICT (id) DO UPDATE SET offered = offered + 1`,
);

function takeDurably(events: readonly NetworkEvent[]): void {
  recorder.exec('BEGIN');
  for (const event of events) if (event.kind === 'message') write.run(event.id, event.messageId);
  recorder.exec('COMMIT');
}

const store = await openStore({
  url: `sqlite:${order.storeFile}`,
  commandModules: [new URL('../../../packages/gateway/src/network/write-commands.ts', import.meta.url)],
  migrations,
  clock,
});
const routes = createProxyRoutes({ clock, authority: order.mediaCaPem, mediaHost: order.mediaHost });
const driver = createWhatsAppDriver({
  store,
  sealedBox: createSealedBox({ masterKeys: [Buffer.from(order.masterKey, 'base64')], random: systemRandom }),
  clock,
  machineClock: clock,
  random: systemRandom,
  log: { debug() {}, warn() {} },
  endpoint: { url: order.url, rootPublicKey: Buffer.from(order.rootPublicKey, 'base64') },
  mediaFor: routes.to,
});

if (order.pair) {
  driver.pair({
    linkId: order.linkId,
    phone: order.phone,
    method: 'qr',
    onProgress(progress) {
      if (progress.kind === 'qr') report({ kind: 'qr', qr: progress.qr });
      if (progress.kind === 'paired') report({ kind: 'paired' });
    },
  });
} else {
  driver.open({
    linkId: order.linkId,
    fence: order.fence,
    onState: (state) => report({ kind: 'state', state: state.kind }),
    onStanding() {},
    onEvents: async (events) => takeDurably(events),
  });
}
