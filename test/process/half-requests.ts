import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { newFolder } from './environment.ts';
import { memoryMb, watchMemory } from './memory.ts';
import { startParley } from './parley.ts';
import type { Cases } from './run-cases.ts';

const MIB = 1024 * 1024;
const STRANGERS = 950;
const OF_ONE_ACCOUNT = 200;
const MAX_BODIES_MB = 64;
/** Allowance for sockets, answers and garbage beside the bodies themselves. */
const BESIDE_BODIES_MB = 136;

/** Sends the head of a request and all but the last byte of its body; resolves when that was sent, or when the connection is refused. */
async function sendHalf(
  url: string,
  path: string,
  headers: string,
): Promise<{ socket: Socket; answer: () => string }> {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  let text = '';
  socket
    .on('error', () => {})
    .on('data', (piece) => {
      text += piece;
    });
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: parley\r\n${headers}Content-Type: application/json\r\nContent-Length: ${MIB}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve()).once('data', () => resolve());
    socket.write(Buffer.alloc(MIB - 1, 0x20), () => resolve());
  });
  return { socket, answer: () => text };
}

export const halfRequestCases: Cases = {
  async 'keeps serving while clients with and without an account send it a gigabyte of half requests'() {
    const dataDir = newFolder();
    const env = { NODE_OPTIONS: '--max-old-space-size=384', PARLEY_MAX_BODIES_MB: `${MAX_BODIES_MB}` };
    const parley = await startParley({ dataDir, env });
    await parley.until(() => /^ {2}curl .*\n/m.test(parley.output.stdout));
    const [key = ''] = /pk_\w+/.exec(parley.output.stdout) ?? [];
    const quietMb = watchMemory(parley.pid);

    const fromPortal = 'X-Parley-Portal: 1\r\nSec-Fetch-Site: same-origin\r\n';
    const half = await Promise.all([
      ...Array.from({ length: STRANGERS }, () => sendHalf(parley.url, '/portal/api/sign-in', fromPortal)),
      ...Array.from({ length: OF_ONE_ACCOUNT }, () =>
        sendHalf(parley.url, '/v1/messages', `Authorization: Bearer ${key}\r\n`),
      ),
    ]);
    const headers = { authorization: `Bearer ${key}` };
    assert.equal((await fetch(`${parley.url}/v1/sessions`, { headers })).status, 200);
    const refused = () => half.slice(STRANGERS).filter(({ answer }) => /^HTTP\/1\.1 429 /.test(answer()));
    await parley.until(() => refused().length >= OF_ONE_ACCOUNT - MAX_BODIES_MB / 2);
    const grownMb = memoryMb(parley.pid) - quietMb;
    for (const { socket } of half) socket.destroy();
    assert.ok(
      grownMb < MAX_BODIES_MB + BESIDE_BODIES_MB,
      `its memory has grown by ${Math.round(grownMb)} MB`,
    );
    return `memory grew by ${Math.round(grownMb)} MB at most, ${refused().length} of ${OF_ONE_ACCOUNT} of the account were refused`;
  },
};
