import { applyLoad, type Load, type LoadResult, requestText } from '../lib/load.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** A sending number with the key of its account. */
export interface Sender {
  readonly sessionId: string;
  readonly key: string;
  /** Sends through the Evolution interface, under this instance name. */
  readonly instance?: string;
}

/** The constant part of a sender's messages; a client that is slow to write would be measured instead of the server. */
interface Template {
  readonly head: string;
  /** Before and after the id of the message. */
  readonly body: readonly [string, string];
}

let templates: readonly Template[] = [];
let sent = 0;
const TEXT_LENGTH = 300;

function templateOf(sender: Sender): Template {
  const { path, headers, body } = sender.instance === undefined ? ownSend(sender) : evolutionSend(sender);
  const [before = '', after = ''] = JSON.stringify(body).slice(0, -2).split(ID_IN_TEMPLATE);
  const whole = requestText({
    method: 'POST',
    path,
    headers,
    body: `${before}${after && idOf(0)}${after}${'x'.repeat(TEXT_LENGTH)}"}`,
  });
  return { head: whole.slice(0, whole.indexOf('\r\n\r\n')), body: [before, after] };
}

const ID_IN_TEMPLATE = '<id>';

function ownSend({ sessionId, key }: Sender) {
  return {
    path: '/v1/messages',
    headers: { Authorization: `Bearer ${key}` },
    body: { session_id: sessionId, to: '15550002001', text: '' },
  };
}

function evolutionSend({ instance, key }: Sender) {
  return {
    path: `/evolution/message/sendText/${instance}`,
    headers: { apikey: key },
    body: { number: '15550002001', messageId: ID_IN_TEMPLATE, text: '' },
  };
}

/** Of constant length. */
function idOf(count: number): string {
  return `bench-${process.pid}-${String(count).padStart(9, '0')}`;
}

/** Each message from another number and under a key of its own. */
function nextSend(): string {
  const { head = '', body = ['', ''] } = templates[sent % templates.length] ?? {};
  sent += 1;
  const id = idOf(sent);
  const [before, after] = body;
  const text = `Message ${sent} `.padEnd(TEXT_LENGTH, 'x');
  // The id is in the body, if it has a place for it, else in the header.
  return after === ''
    ? `${head}\r\nIdempotency-Key: ${id}\r\n\r\n${before}${text}"}`
    : `${head}\r\n\r\n${before}${id}${after}${text}"}`;
}

const calls = {
  prepare(senders: readonly Sender[]): void {
    templates = senders.map(templateOf);
  },
  load: (load: Load): Promise<LoadResult> => applyLoad(load, nextSend),
  cpuSeconds,
};

export type LoadCalls = typeof calls;

offer(calls);
