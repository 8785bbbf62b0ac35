import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { linkNumber, newPhone, until } from '../chaos/linked-number.ts';
import { gatewayAt, OPERATOR_TOKEN } from '../conformance/gateway-access.ts';
import { launch } from '../conformance/launch.ts';
import { startReceiver } from '../conformance/receiver.ts';
import { stopProcess } from '../services/processes.ts';
import { newFolder } from './environment.ts';
import type { Cases } from './run-cases.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly eventId?: string;
  readonly kind?: string;
}

const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');

export const logLineCases: Cases = {
  async 'the log shows the life of a message by its ids, and neither text nor number'() {
    for (const threads of ['0', '1']) await followMessages(threads);
  },
};

async function followMessages(threads: string): Promise<void> {
  const receiver = await startReceiver();
  const lines: Line[] = [];
  const settings = {
    PARLEY_DATA_DIR: newFolder(),
    PARLEY_HOST_THREADS: threads,
    PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
    PARLEY_PORT: '0',
  };
  const { child, url } = await launch('start', settings, (line) => lines.push(JSON.parse(line)));
  const about = (id: string): string[] =>
    lines.filter((line) => JSON.stringify(line).includes(`"${id}"`)).map(({ msg }) => msg);
  const untilLogged = (msg: string, id: string): Promise<string[]> =>
    until(
      `${msg} of ${id}`,
      () => about(id),
      (found) => found.includes(msg),
    );
  try {
    const gateway = gatewayAt([url]);
    const ada = await newPhone(gateway);
    const me = await linkNumber(gateway);
    const hooks = { messages_url: `${receiver.url}/messages`, status_url: `${receiver.url}/status` };
    await me.call('POST', '/webhooks', { session_id: me.sessionId, ...hooks });

    const message = { session_id: me.sessionId, to: ada, text: 'hush' };
    const { body } = await until(
      'a session that sends',
      () => me.call<{ message_id: string }>('POST', '/messages', message, 'log-lines'),
      ({ status }) => status === 202,
    );
    const ofSend = await untilLogged('send.attempt', body.message_id);
    assert.deepEqual(ofSend.slice(0, 2), ['request', 'send.attempt']);
    const attempt = lines.find(({ msg }) => msg === 'send.attempt');
    await untilLogged('event.delivery', attempt?.eventId ?? '');

    await gateway.sandbox('POST', `/phones/${ada}/messages`, { to: me.phone, text: 'hush too' });
    const inbound = await until(
      'a message in the log',
      () => lines.find(({ msg, kind }) => msg === 'inbound' && kind === 'message'),
      (found) => found !== undefined,
    );
    assert.deepEqual(await untilLogged('event.delivery', inbound?.eventId ?? ''), [
      'inbound',
      'event.delivery',
    ]);

    const shown = lines.filter(({ level }) => level !== 'debug');
    const text = shown.map((line) => JSON.stringify(line)).join('\n');
    for (const secret of ['hush', ada, me.phone])
      assert.ok(!text.includes(secret), `${secret} is in the log`);
    for (const { msg } of shown)
      assert.ok(guide.includes(`\`${msg}\``), `docs/operating.md does not name ${msg}`);
  } finally {
    await stopProcess(child, 'SIGTERM');
    receiver.close();
  }
}
