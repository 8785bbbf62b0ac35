import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { applyLoad, type LoadResult, median } from '../lib/load.ts';

/**
 * What the gateway itself costs: an authenticated, durably committed POST and an authenticated GET, each against a bare Fastify route that
 * does neither. Both servers live at the same time and take turns of a second, and each turn is held against the bare one beside it, so
 * that a machine that is slower for a while slows both alike.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const CONNECTIONS = 64;
const TARGET = 0.8;

const bodyOf400Bytes = JSON.stringify({
  session_id: '15550001001:1@s.whatsapp.net',
  to: '15550002001',
  text: 'x'.repeat(400 - 83),
});

const bare = await startServer('bare');
const parley = await startServer('parley');
const contenders = [
  { name: 'bare POST', server: bare, method: 'POST' },
  { name: 'durable authenticated POST', server: parley, method: 'POST' },
  { name: 'bare GET', server: bare, method: 'GET' },
  { name: 'authenticated GET', server: parley, method: 'GET' },
] as const;

const results = new Map<string, LoadResult[]>(contenders.map(({ name }) => [name, []]));
try {
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server, method } of contenders) {
      const result = await applyLoad({
        url: server.url,
        method,
        headers: {
          'content-type': 'application/json',
          ...(server.key ? { authorization: `Bearer ${server.key}` } : {}),
        },
        ...(method === 'POST' ? { body: bodyOf400Bytes } : {}),
        connections: CONNECTIONS,
        seconds: round === 0 ? 2 : seconds,
      });
      if (result.failures > 0) throw new Error(`${name}: ${result.failures} requests failed`);
      // Round 0 warms up the compilers and is not counted.
      if (round > 0) results.get(name)?.push(result);
    }
  }
} finally {
  bare.process.kill();
  parley.process.kill();
}

const speed = (name: string): number =>
  median((results.get(name) ?? []).map((result) => result.requestsPerSecond));
function ratio(name: string, floor: string): number {
  const floors = results.get(floor) ?? [];
  return median(
    (results.get(name) ?? []).map(
      (result, round) => result.requestsPerSecond / (floors[round]?.requestsPerSecond ?? 0),
    ),
  );
}

for (const { name } of contenders)
  console.log(`${name.padEnd(28)}${speed(name).toFixed(0).padStart(8)} requests/s`);
const ratios = {
  POST: ratio('durable authenticated POST', 'bare POST'),
  GET: ratio('authenticated GET', 'bare GET'),
};
for (const [method, ratio] of Object.entries(ratios)) {
  console.log(
    `${method} ratio ${ratio.toFixed(2)} (target ${TARGET}) ${ratio >= TARGET ? 'holds' : 'MISSED'}`,
  );
}
process.exitCode = Object.values(ratios).every((ratio) => ratio >= TARGET) ? 0 : 1;

async function startServer(
  kind: 'bare' | 'parley',
): Promise<{ url: string; key?: string; process: ChildProcess }> {
  const child = fork(new URL('./servers.ts', import.meta.url), [kind], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [started] = (await once(child, 'message')) as [{ url: string; key?: string }];
  return { ...started, process: child };
}
