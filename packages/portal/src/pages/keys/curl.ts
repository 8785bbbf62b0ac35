import type { PortalNumber } from '@parley/contract';
import type { Answer } from '../../api/index.ts';
import { keysTexts } from '../../texts/keys.ts';

export interface ReadyCommand {
  readonly title: string;
  readonly command: string;
}

/** Command that works with this key's permissions: a send when a number is linked, otherwise a query. */
export function readyCommand(
  origin: string,
  key: Pick<Answer<'createMyApiKey'>, 'api_key' | 'phone' | 'permissions'>,
  numbers: readonly Pick<PortalNumber, 'phone' | 'session'>[],
): ReadyCommand | undefined {
  const authorization = `-H 'Authorization: Bearer ${key.api_key}'`;
  const sender = numbers.find(({ phone, session }) => session && (key.phone === null || key.phone === phone));
  if (key.permissions.includes('messages') && sender?.session) {
    const body = { session_id: sender.session.session_id, to: sender.phone, text: keysTexts.greeting };
    return {
      title: keysTexts.curlSend,
      command: [
        `curl -sS ${origin}/v1/messages`,
        authorization,
        `-H 'Content-Type: application/json'`,
        `-H 'Idempotency-Key: my-first-message'`,
        `-d '${JSON.stringify(body)}'`,
      ].join(' \\\n  '),
    };
  }
  if (!key.permissions.includes('sessions')) return undefined;
  return { title: keysTexts.curlSessions, command: `curl -sS ${origin}/v1/sessions \\\n  ${authorization}` };
}
