import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { muteLibsignal } from '@parley/signal';
import { type AuthenticationState, type BinaryNode, makeWASocket, type WASocket } from 'baileys';
import { afterAll, expect, it, vi } from 'vitest';
import { closing, event, mediaAt, memoryAuth, quiet } from './fixture.ts';
import type { Order, Ready } from './fixture-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-restart-'));
const running = new Set<ChildProcess>();
const unmute = muteLibsignal();
afterAll(() => {
  unmute();
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Process extends Ready {
  order(order: Order): Promise<unknown>;
  kill(): Promise<void>;
}

async function startProcess(): Promise<Process> {
  const script = new URL('./fixture-process.ts', import.meta.url);
  const child = fork(script, [join(folder, 'sandbox.db')], { execArgv: [] });
  running.add(child);
  const [ready]: Ready[] = await once(child, 'message');
  if (!ready) throw new Error('the network did not start');
  return {
    ...ready,
    async order(order) {
      const answered = once(child, 'message');
      child.send(order);
      const [{ answer }] = await answered;
      return answer;
    },
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      running.delete(child);
    },
  };
}

const connect = ({ url, mediaHost }: Ready, auth: AuthenticationState): WASocket =>
  makeWASocket({ auth, waWebSocketUrl: url, logger: quiet, options: { dispatcher: mediaAt(mediaHost) } });
const open = (sock: WASocket) => event(sock, 'connection.update', ({ connection }) => connection === 'open');
const ciphertext = (sock: WASocket, id: string) =>
  new Promise<string>((resolve) =>
    sock.ws.on('CB:message', ({ attrs, content }: BinaryNode) => {
      const [enc] = Array.isArray(content) ? content : [];
      if (attrs.id === id && enc?.content instanceof Uint8Array)
        resolve(Buffer.from(enc.content).toString('hex'));
    }),
  );
const arrival = (sock: WASocket, id: string) =>
  event(sock, 'messages.upsert', ({ messages }) => messages.some(({ key }) => key.id === id));

async function link(network: Process, auth: AuthenticationState): Promise<string> {
  const pairing = connect(network, auth);
  const { qr = '' } = await event(pairing, 'connection.update', (update) => update.qr !== undefined);
  const closed = closing(pairing);
  const sessionId = String(await network.order({ kind: 'scan', qr }));
  await closed;
  return sessionId;
}

it('a network that is killed delivers what one device of a phone wrote for the other', async () => {
  const first = await startProcess();
  const [writing, absent] = [memoryAuth(), memoryAuth()];
  await link(first, writing);
  const sessionId = await link(first, absent);
  // It has uploaded its keys, and is away when the other one writes.
  const beforehand = connect(first, absent);
  await open(beforehand);
  const greeted = arrival(beforehand, 'GREETING');
  await first.order({ kind: 'send', id: 'GREETING', words: 'hello' });
  const [greeting] = (await greeted).messages;
  await vi.waitFor(async () => expect(await first.order({ kind: 'waiting', sessionId })).toBe(0));
  await beforehand.end(undefined);

  const sock = connect(first, writing);
  await open(sock);
  const acknowledged = new Promise<void>((resolve) =>
    sock.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => attrs.id === 'FORWARDED' && resolve()),
  );
  const friend = greeting?.key.remoteJid ?? '';
  await sock.sendMessage(friend, { text: 'for both of us' }, { messageId: 'FORWARDED' });
  await acknowledged;
  const dropped = closing(sock);
  await first.kill();
  await dropped;

  const second = await startProcess();
  expect(await second.order({ kind: 'seen', id: 'FORWARDED' })).toMatchObject({ text: 'for both of us' });
  const back = connect(second, absent);
  const read = arrival(back, 'FORWARDED');
  await open(back);
  const copies = (await read).messages.filter(({ key }) => key.id === 'FORWARDED');
  expect(copies).toMatchObject([
    { key: { fromMe: true }, message: { extendedTextMessage: { text: 'for both of us' } } },
  ]);
  await vi.waitFor(async () => expect(await second.order({ kind: 'waiting', sessionId })).toBe(0));
  await back.end(undefined);
  await second.kill();
});

it('a network that is killed keeps everything: keys, links, sessions, and the bytes in flight', async () => {
  const first = await startProcess();
  const auth = memoryAuth();
  const sessionId = await link(first, auth);
  let sock = connect(first, auth);
  await open(sock);
  const greeted = arrival(sock, 'HELLO');
  await first.order({ kind: 'send', id: 'HELLO', words: 'before the end' });
  await greeted;
  await vi.waitFor(async () => expect(await first.order({ kind: 'waiting', sessionId })).toBe(0));

  // the client gets the bytes of the next message, but neither decrypts nor answers them
  sock.ws.removeAllListeners('CB:message');
  const before = ciphertext(sock, 'LOST');
  await first.order({ kind: 'send', id: 'LOST', words: 'not lost' });
  const bytes = await before;
  const dropped = closing(sock);
  await first.kill();
  await dropped;

  const second = await startProcess();
  expect(second.rootPublicKey).toBe(first.rootPublicKey);
  expect(second.mediaCaPem).toBe(first.mediaCaPem);
  sock = connect(second, auth);
  const again = ciphertext(sock, 'LOST');
  const read = arrival(sock, 'LOST');
  await open(sock);
  expect(await again).toBe(bytes);
  const [received] = (await read).messages;
  expect(received?.message?.conversation).toBe('not lost');
  await vi.waitFor(async () => expect(await second.order({ kind: 'waiting', sessionId })).toBe(0));
  await sock.sendMessage(received?.key.remoteJid ?? '', { text: 'and back' }, { messageId: 'BACK' });
  await vi.waitFor(async () =>
    expect(await second.order({ kind: 'seen', id: 'BACK' })).toMatchObject({ text: 'and back' }),
  );
  await sock.end(undefined);
  await second.kill();
});
