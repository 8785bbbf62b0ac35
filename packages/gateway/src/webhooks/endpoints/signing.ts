import { createHmac } from 'node:crypto';
import { formatSignature, WEBHOOK_HEADERS } from '@parley/contract';
import type { Random, SealedBox } from '#kernel';

const SECRET_BYTES = 32;

export function newSecret(random: Pick<Random, 'bytes'>): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')}`;
}

export function sealSecret(box: Pick<SealedBox, 'seal'>, webhookId: string, secret: string): Uint8Array {
  return box.seal(Buffer.from(secret), contextOfSecret(webhookId));
}

export function openSecret(box: Pick<SealedBox, 'open'>, webhookId: string, sealed: Uint8Array): string {
  return Buffer.from(box.open(sealed, contextOfSecret(webhookId))).toString();
}

/** What a format of webhooks is given to know, which may be secret too. */
export function sealOptions(box: Pick<SealedBox, 'seal'>, webhookId: string, options: string): Uint8Array {
  return box.seal(Buffer.from(options), contextOfOptions(webhookId));
}

export function openOptions(box: Pick<SealedBox, 'open'>, webhookId: string, sealed: Uint8Array): string {
  return Buffer.from(box.open(sealed, contextOfOptions(webhookId))).toString();
}

export function contextOfSecret(webhookId: string): string {
  return `webhook secret ${webhookId}`;
}

export function contextOfOptions(webhookId: string): string {
  return `webhook options ${webhookId}`;
}

export interface Signing {
  readonly webhookId: string;
  readonly eventId: string;
  /** The secrets in force, the newest first. */
  readonly secrets: readonly string[];
  /** Of this attempt, by the machine's own clock: receivers compare it with theirs. Epoch milliseconds. */
  readonly now: number;
}

/** The headers that let a receiver know that a delivery is ours and that it is fresh. */
export function signedHeaders(
  { webhookId, eventId, secrets, now }: Signing,
  body: string,
): Record<string, string> {
  const timestamp = Math.floor(now / 1_000);
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'),
  );
  return {
    'Content-Type': 'application/json',
    [WEBHOOK_HEADERS.webhookId]: webhookId,
    [WEBHOOK_HEADERS.messageId]: headerValueOf(eventId),
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.signature]: formatSignature(timestamp, signatures),
  };
}

/** Ids as they are; of others what a header cannot hold is written as in URLs, so that the delivery leaves all the same. */
function headerValueOf(id: string): string {
  return PLAIN.test(id) ? id : encodeURIComponent(id.toWellFormed());
}

const PLAIN = /^[\x21-\x7e]+$/;
