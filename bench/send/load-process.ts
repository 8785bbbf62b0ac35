import { applyLoad, type Load, type LoadResult, requestText } from '../lib/load.ts';
import { offer } from '../lib/remote.ts';
import { cpuSeconds } from '../lib/usage.ts';

/** Who sends: a number with the key of its account. */
export interface Sender {
  readonly sessionId: string;
  readonly key: string;
}

/** All that stays the same in the messages of a sender; a client that is slow to write would be measured instead of the server. */
interface Template {
  readonly head: string;
  readonly body: string;
}

let templates: readonly Template[] = [];
let sent = 0;
const TEXT_LENGTH = 300;

function templateOf({ sessionId, key }: Sender): Template {
  const body = JSON.stringify({ session_id: sessionId, to: '15550002001', text: '' }).slice(0, -2);
  const whole = requestText({
    method: 'POST',
    path: '/v1/messages',
    headers: { Authorization: `Bearer ${key}` },
    body: `${body}${'x'.repeat(TEXT_LENGTH)}"}`,
  });
  return { head: whole.slice(0, whole.indexOf('\r\n\r\n')), body };
}

/** Each message from another number and under a key of its own. */
function nextSend(): string {
  const template = templates[sent % templates.length];
  sent += 1;
  const text = `Message ${sent} `.padEnd(TEXT_LENGTH, 'x');
  return `${template?.head}\r\nIdempotency-Key: bench-${process.pid}-${sent}\r\n\r\n${template?.body}${text}"}`;
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
