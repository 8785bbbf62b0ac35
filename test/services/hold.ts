import { setTimeout as sleep } from 'node:timers/promises';
import { startOwnNats } from './nats.ts';
import { startOwnPostgres } from './postgres.ts';
import { IDLE_MS, idleMs, leavePlace, publishAddress, takePlace } from './warm.ts';

/** Runs one server in the background until it is idle for a while: `hold.ts postgres`. */
const LOOK_EVERY_MS = 2_000;
const SERVERS: Record<string, typeof startOwnNats> = {
  postgres: () => startOwnPostgres(),
  nats: () => startOwnNats(),
};

const [name = ''] = process.argv.slice(2);
const start = SERVERS[name];
if (!start) throw new Error(`There is no server ${name}.`);

let isOver = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (isOver = true));

if (takePlace(name)) {
  try {
    const service = await start();
    publishAddress(name, service.url);
    while (!isOver && idleMs(name) < IDLE_MS) await sleep(LOOK_EVERY_MS);
    await service.stop();
  } finally {
    leavePlace(name);
  }
}
