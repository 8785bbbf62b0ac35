import { join } from 'node:path';
import { type LinkedNumber, linkNumber } from '../../test/chaos/linked-number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../../test/conformance/gateway-access.ts';
import { launch } from '../../test/conformance/launch.ts';
import { stopProcess } from '../../test/services/processes.ts';
import { inParallel } from '../lib/in-parallel.ts';
import type { Address } from '../lib/network/contender.ts';
import { type Remote, startRemote } from '../lib/remote.ts';
import type { BareCalls } from './bare-process.ts';
import type { Endpoint } from './endpoint.ts';
import type { OutsideCalls } from './outside-process.ts';

/** A measured process with linked numbers. */
export interface Contender {
  readonly pid: number;
  readonly doors: readonly Endpoint[];
  stop(): Promise<void>;
}

export interface Surroundings {
  readonly outside: Remote<OutsideCalls>;
  readonly sandboxUrl: string;
  readonly hookUrl: string;
  readonly address: Address;
  readonly folder: string;
  /** One for each number. */
  readonly friends: readonly string[];
}

const LINKS_AT_ONCE = 4;

/** A whole gateway as `npm start` runs it. */
export async function enterParley(
  { sandboxUrl, hookUrl, folder, friends }: Surroundings,
  settings: Readonly<Record<string, string>> = {},
): Promise<Contender> {
  const { child, url } = await launch('start', {
    PARLEY_PORT: '0',
    PARLEY_DATA_DIR: join(folder, 'parley'),
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PARLEY_SANDBOX_URL: sandboxUrl,
    PARLEY_LOG_LEVEL: 'warn',
    ...settings,
  });
  const gateway = gatewayAt([url]);
  const doors: Endpoint[] = [];
  await inParallel(friends, LINKS_AT_ONCE, async (friend) => {
    const number = await linkNumber(gateway);
    await registerWebhook(number, hookUrl);
    const { phone, sessionId, apiKey: token } = number;
    doors.push({ url, token, sessionId, phone, friend });
  });
  return { pid: child.pid ?? 0, doors, stop: () => stopProcess(child, 'SIGTERM') };
}

async function registerWebhook({ call, sessionId }: LinkedNumber, url: string): Promise<void> {
  const { status, body } = await call('POST', '/webhooks', {
    session_id: sessionId,
    messages_url: url,
    status_url: url,
  });
  if (status >= 300) throw new Error(JSON.stringify(body));
}

/** The library alone. */
export async function enterBare(
  { outside, address, hookUrl, folder, friends }: Surroundings,
  phones: readonly string[],
): Promise<Contender> {
  const bare = startRemote<BareCalls>(new URL('./bare-process.ts', import.meta.url));
  const url = await bare.call('start', { address, folder }, hookUrl);
  await outside.call('addPhones', phones);
  await inParallel(phones, LINKS_AT_ONCE, async (phone) => {
    await outside.call('scan', phone, await bare.call('showQr', phone));
    await bare.call('logIn', phone);
  });
  const doors = phones.map((phone, n) => ({
    ...{ url, token: 'unused', sessionId: `${phone}:1@s.whatsapp.net`, phone },
    friend: friends[n] ?? '',
  }));
  return { pid: await bare.call('pid'), doors, stop: () => bare.stop() };
}
