import { createHash } from 'node:crypto';

/** Clients expect ids of digits: derived from ours, and stable. */
function digits(text: string): string {
  const number = createHash('sha256').update(text).digest().readBigUInt64BE() % 900_000_000_000_000n;
  return String(100_000_000_000_000n + number);
}

export function accountIdOf(accountId: string): string {
  return digits(`account ${accountId}`);
}

export function templateIdOf(
  accountId: string,
  { name, language }: { name: string; language: string },
): string {
  return digits(`template ${accountId} ${name} ${language}`);
}

/**
 * Message id of this surface. The id contains chat and sender, because a client that marks a message as read sends neither. Ids of our own
 * messages contain only the network's id, so that receipts have the same one.
 */
export type MessageRef =
  | { readonly fromMe: true; readonly id: string }
  | {
      readonly fromMe: false;
      readonly id: string;
      readonly chat: string;
      /** Sender, in a group. */
      readonly participant?: string | undefined;
    };

const WAMID_PREFIX = 'wamid.';
const OWN = '1';
const THEIRS = '0';
/** Never part of an address or of a network id. */
const BETWEEN = '\n';

export function formatWamid(ref: MessageRef): string {
  const parts = ref.fromMe ? [OWN, ref.id] : [THEIRS, ref.id, ref.chat, ref.participant ?? ''];
  return WAMID_PREFIX + Buffer.from(parts.join(BETWEEN)).toString('base64url');
}

/** Undefined for foreign ids, such as those of messages from before a move. */
export function parseWamid(wamid: string): MessageRef | undefined {
  if (!wamid.startsWith(WAMID_PREFIX)) return undefined;
  const parts = Buffer.from(wamid.slice(WAMID_PREFIX.length), 'base64url').toString().split(BETWEEN);
  const [whose, id = '', chat = '', participant = ''] = parts;
  if (id === '') return undefined;
  if (whose === OWN && parts.length === 2) return { fromMe: true, id };
  if (whose !== THEIRS || parts.length !== 4 || chat === '') return undefined;
  return { fromMe: false, id, chat, ...(participant !== '' && { participant }) };
}

const SEND_MARK = 'cloud';

/**
 * Idempotency key of a send. It contains the data that the client wants back in its statuses, so nothing has to be stored for that. A
 * repeated message has the same key, so it is the same send.
 */
export function sendKey(
  { body, callbackData }: { readonly body: object; readonly callbackData: string | undefined },
  unique: () => string,
): string {
  if (callbackData === undefined) return `${SEND_MARK}.${unique()}`;
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return `${SEND_MARK}:${hash}:${callbackData}`;
}

export function callbackDataIn(requestId: string): string | undefined {
  return /^cloud:[\w-]{22}:(.+)$/su.exec(requestId)?.[1];
}
