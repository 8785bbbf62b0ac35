import { createApp } from '../../packages/gateway/src/app/create-app.ts';
import { loadConfig } from '../../packages/gateway/src/config/config.ts';
import { linkNumber, newPhone, until } from '../../test/chaos/linked-number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../../test/conformance/gateway-access.ts';
import { launch } from '../../test/conformance/launch.ts';
import { makeTemporaryFolder } from '../../test/services/cleanup.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** A whole gateway in this process, on a network in another one: one number stores its history, one does not. */
const folders = ['gateway', 'network'].map((name) => makeTemporaryFolder(`parley-bench-history-${name}-`));
const [own, networks] = folders.map(({ path }) => ({
  PARLEY_DATA_DIR: path,
  PARLEY_PORT: '0',
  PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
  PARLEY_LOG_LEVEL: 'warn',
}));
const sandbox = await launch('sandbox', networks ?? {});
const app = await createApp(loadConfig({ ...own, PARLEY_SANDBOX_URL: sandbox.url }));
const gateway = gatewayAt([await app.http.listen({ host: '127.0.0.1', port: 0 })]);
const network = gatewayAt([sandbox.url]);
process.once('exit', () => sandbox.child.kill());

const FRIENDS = 8;

async function enter(isKept: boolean) {
  const { phone, sessionId, call } = await linkNumber(gateway);
  const friends = await Promise.all(Array.from({ length: FRIENDS }, () => newPhone(network)));
  if (isKept) await call('PUT', `/sessions/${encodeURIComponent(sessionId)}/history`, { enabled: true });
  return { phone, friends };
}

const stages = { on: await enter(true), off: await enter(false) };

async function receivedCount(phone: string): Promise<number> {
  const row = await app.store.read
    .selectFrom('events')
    .innerJoin('devices', 'devices.slot_id', 'events.slot_id')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('devices.phone', '=', phone)
    .where('kind', '=', 'message')
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

const calls = {
  /** Incoming messages per second of processor time, from the wire until their events are committed. */
  async receiveMessages(isKept: boolean, messages: number): Promise<number> {
    const { phone, friends } = isKept ? stages.on : stages.off;
    const before = await receivedCount(phone);
    const begun = cpuSeconds();
    const text = 'Is my order ready? I would like to come by at five and take it with me.';
    await Promise.all(
      friends.map(async (friend) => {
        for (let sent = 0; sent < messages / FRIENDS; sent++)
          await network.sandbox('POST', `/phones/${friend}/messages`, { to: phone, text });
      }),
    );
    const all = before + Math.ceil(messages / FRIENDS) * FRIENDS;
    await until(
      'the last message',
      () => receivedCount(phone),
      (count) => count >= all,
    );
    return messages / (cpuSeconds() - begun);
  },
};

export type InboundCalls = typeof calls;
offer(calls);
