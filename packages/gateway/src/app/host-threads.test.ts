import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '#config';
import { createSystemClock } from '#kernel';
import { createLog } from '#platform/observe';
import { OPERATOR_TOKEN } from '#testing';
import { type App, createApp } from './create-app.ts';
import { type Demo, firstRun } from './first-run.ts';

const ADA = '15550002001';
const DAY_MS = 86_400_000;
/** Each thread loads the whole network library. */
const PATIENCE = { timeout: 60_000, interval: 50 };

describe('numbers that are hosted in threads of their own', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-threads-'));
  const threads = new Map<string | null, Worker>();
  const logged: { readonly msg: string; readonly level: string }[] = [];
  let app: App;
  let demo: Demo;
  let calls = 0;

  function notice(thread: Worker): void {
    threads.set(thread.threadName, thread);
  }

  beforeAll(async () => {
    process.on('worker', notice);
    const config = loadConfig({
      PARLEY_DATA_DIR: folder,
      PARLEY_PORT: '0',
      PARLEY_HOST_THREADS: '2',
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    });
    const log = createLog('info', { write: (line) => void logged.push(JSON.parse(line)) });
    app = await createApp(config, { log });
    const made = await firstRun(app, config);
    if (!made) throw new Error('a new gateway makes its demo');
    demo = made;
  }, 120_000);
  afterAll(() => {
    process.off('worker', notice);
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask<T>(method: 'GET' | 'POST', url: string, key: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `call-${++calls}` };
    const answer = await app.http.inject({ method, url, headers, ...(body && { body }) });
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300);
    return answer.json();
  }

  const send = (text: string) =>
    ask<{ message_id: string }>('POST', '/v1/messages', demo.apiKey, {
      ...{ session_id: demo.sessionId, to: ADA, text },
    });

  /** The texts on Ada's phone with this beginning, sorted. */
  async function arrived(beginning: string): Promise<string[]> {
    const { messages } = await ask<{ messages: { text?: string }[] }>(
      'GET',
      `/sandbox/v1/phones/${ADA}/messages?limit=100`,
      OPERATOR_TOKEN,
    );
    return messages.flatMap(({ text }) => (text?.startsWith(beginning) ? text : [])).toSorted();
  }

  async function hostOfNumber(): Promise<string | undefined> {
    const { worker } = await app.store.read.selectFrom('sessions').select('worker').executeTakeFirstOrThrow();
    return worker === null ? undefined : /-(\d)-[0-9a-f]+$/.exec(worker)?.[1];
  }

  it('connect to no host outside the network, whatever asks for it', async () => {
    let connections = 0;
    const elsewhere = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const address = elsewhere.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const net = "process.getBuiltinModule('node:net')";
    const attempts = [
      `fetch('http://127.0.0.1:${port}').then(() => 'connected', ({ cause }) => cause.code)`,
      `new Promise((done) => ${net}.connect(${port}, '127.0.0.1', () => done('connected')).on('error', ({ code }) => done(code)))`,
    ];
    for (const attempt of attempts) {
      expect(await evaluatedIn('host-1', attempt)).toBe('forbidden_address');
      expect(await evaluatedIn('host-2', attempt)).toBe('forbidden_address');
    }
    expect(connections).toBe(0);
    const refusal = { level: 'warn', msg: 'a connection to a host outside the network was refused' };
    expect(logged.filter(({ msg }) => msg === refusal.msg)).toHaveLength(2);
    elsewhere.close();
  });

  it('send what the main thread accepts', async () => {
    expect([...threads.keys()].toSorted()).toEqual(['host-1', 'host-2', 'store-reader', 'store-writer']);
    await send('hello');
    await vi.waitFor(async () => expect(await arrived('hello')).toEqual(['hello']), PATIENCE);
  });

  it('are taken over when their thread ends during sends: no message is lost, none arrives twice', async () => {
    // Together with the previous one, the largest burst.
    const texts = [1, 2, 3, 4].map((n) => `text ${n}`);
    const before = await hostOfNumber();
    const sending = Promise.all(texts.map(send));
    await vi.waitFor(async () => expect(await arrived('text')).not.toEqual([]), PATIENCE);
    await threads.get(`host-${before}`)?.terminate();
    await sending;
    await vi.waitFor(async () => expect(await arrived('text')).toEqual(texts), PATIENCE);
    expect(await hostOfNumber()).not.toBe(before);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'error', msg: 'a hosting thread has ended', thread: Number(before) }),
    );
  });

  it('have as many threads as before after a while, and their figures are those of the process', async () => {
    await vi.waitFor(async () => {
      const { body } = await app.http.inject('/metrics');
      expect(body.match(/^parley_worker_leased\{worker=".+"\} 1$/gm)).toHaveLength(2);
      expect(body).toMatch(/^parley_sends_total\{outcome="sent",reason=""\} [1-9]$/m);
      expect(body).toMatch(/^parley_client_version_info\{/m);
    }, PATIENCE);
    const ready = await app.http.inject('/readyz');
    expect(ready.statusCode).toBe(200);
  });

  it('follow the clock to which the sandbox moves the gateway', async () => {
    const before = createSystemClock().now();
    await ask('POST', '/sandbox/v1/clock', OPERATOR_TOKEN, { advance_seconds: DAY_MS / 1_000 });
    await vi.waitFor(() => send('from tomorrow'), PATIENCE);
    // Dated by its sender.
    await vi.waitFor(async () => {
      const { at } = await app.store.read
        .selectFrom('events')
        .select('at')
        .where('kind', '=', 'status')
        .orderBy('seq', 'desc')
        .executeTakeFirstOrThrow();
      expect(at).toBeGreaterThanOrEqual(before + DAY_MS);
    }, PATIENCE);
  });

  it('are handed over in order when the gateway stops', async () => {
    const left = Promise.withResolvers<{ worker: string | null }[]>();
    threads.get('host-2')?.once('exit', () => {
      app.store.read.selectFrom('sessions').select('worker').execute().then(left.resolve, left.reject);
    });
    await app.close();
    expect(await left.promise).not.toContainEqual({ worker: expect.stringContaining('-2-') });
    expect(logged.filter(({ msg }) => msg === 'a hosting thread has ended')).toHaveLength(1);
  });
});

/** Evaluates an expression in a thread of this process, by the debugger's protocol; resolves to its awaited result. */
async function evaluatedIn(threadName: string, expression: string): Promise<unknown> {
  const session = new Session();
  session.connectToMainThread();
  const answer = Promise.withResolvers<unknown>();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.title.endsWith(threadName)) return;
    const evaluate = { id: 1, method: 'Runtime.evaluate', params: { expression, awaitPromise: true } };
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(evaluate) });
  });
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id, result } = JSON.parse(params.message);
    if (id === 1) answer.resolve(result.result.value);
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const value = await answer.promise;
  session.disconnect();
  return value;
}
