import { setTimeout as sleep } from 'node:timers/promises';
import type { KeptMessagePage } from '@parley/contract';
import { ask } from '../../conformance/ask.ts';
import type { Gateway } from '../../conformance/gateway.ts';
import { OPERATOR_TOKEN } from '../../conformance/gateway-access.ts';
import { linkNumber, newPhone, until } from '../linked-number.ts';
import type { Target } from './attacks.ts';

const INSTANCE = 'shop';
const MESSAGES = 300;
const GROUPS = 40;
const KEYS = 60;
/** Just below the limit for answers in base64, so that it is encoded. */
const FILE_MB = 30;

/** An account with everything that the attacks need: conversations, a large file, groups and keys. */
export async function prepareAttacker(gateway: Gateway, network: Gateway): Promise<Target> {
  const friend = await newPhone(network);
  const number = await linkNumber(gateway);
  const evolution = (path: string, body: object) =>
    ask(gateway.url, { method: 'POST', path: `/evolution${path}`, headers: { apikey: number.apiKey }, body });
  const made = await evolution('/instance/create', { instanceName: INSTANCE });
  if (made.status !== 201) throw new Error(`no instance: ${JSON.stringify(made.body)}`);

  const write = (message: object) =>
    network.sandbox<{ message_id: string }>('POST', `/phones/${friend}/messages`, {
      to: number.phone,
      ...message,
    });
  for (let count = 1; count <= MESSAGES; count++) await write({ text: `message ${count}` });
  const { message_id: mediaMessageId } = await write({
    media_type: 'document',
    file_name: 'large.bin',
    media_base64: Buffer.alloc(FILE_MB * 2 ** 20, 1).toString('base64'),
    mimetype: 'application/octet-stream',
  });
  for (let count = 1; count <= GROUPS; count++)
    await network.sandbox('POST', `/phones/${friend}/groups`, {
      name: `Group ${count}`,
      participants: [`${number.phone}@s.whatsapp.net`],
    });
  const devices = await gateway.operator<{ devices: { phone: string; account_id: string }[] }>(
    'GET',
    '/devices',
  );
  const accountId = devices.devices.find(({ phone }) => phone === number.phone)?.account_id ?? '';
  for (let count = 1; count <= KEYS; count++)
    await gateway.operator('POST', `/accounts/${accountId}/api-keys`, { name: `key ${count}` });

  const chat = `/sessions/${encodeURIComponent(number.sessionId)}/chats/${encodeURIComponent(`${friend}@s.whatsapp.net`)}/messages?limit=5`;
  const newest = async () => (await number.call<KeptMessagePage>('GET', chat)).body.messages ?? [];
  await until('the large file', newest, (messages) => messages.some(({ media }) => media?.id !== undefined));
  // The group list is loaded in the background.
  await sleep(1_000);
  return {
    url: gateway.url,
    operatorToken: OPERATOR_TOKEN,
    apiKey: number.apiKey,
    accountId,
    instance: INSTANCE,
    mediaMessageId,
    friend,
  };
}
