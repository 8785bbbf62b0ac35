import { SIGNATURE_TOLERANCE_SECONDS, WEBHOOK_HEADERS } from '../generated/constants.ts';
import type { ParleyEvent } from '../generated/types.ts';
import { systemPlatform } from '../platform.ts';

/** Headers of a request, in the form of `fetch` or of Node.js. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Two during a rotation. At least one is required; the type accepts an environment variable unchecked. */
export type SigningSecret = string | readonly string[] | undefined;

export function secretsOf(secret: SigningSecret): string[] {
  const secrets = [secret ?? []].flat().filter((each) => each !== '');
  if (secrets.length === 0) throw new TypeError('secret is required');
  return secrets;
}

export interface VerifyOptions {
  /** Time to compare with, in seconds; the machine's by default. For tests. */
  readonly nowUnix?: number | undefined;
}

/** Delivery with a valid signature. */
export interface VerifiedDelivery {
  readonly event: ParleyEvent;
  /** Id of the event, the same on every retry: deduplicate on it. */
  readonly id: string;
  readonly webhookId: string;
  /** Time of the signature. */
  readonly timestampUnix: number;
}

/** The request is not from the gateway, or too old. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/**
 * Returns the event of a webhook request, or throws a `WebhookVerificationError`. Pass the raw body, as bytes or text, not parsed
 * and serialized again.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: SigningSecret,
  { nowUnix = systemPlatform.now() / 1_000 }: VerifyOptions = {},
): Promise<ParleyEvent> {
  return (await openDelivery(rawBody, headers, secret, nowUnix)).event;
}

export async function openDelivery(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: SigningSecret,
  nowUnix: number,
): Promise<VerifiedDelivery> {
  const { timestamp, signatures } = parseSignature(headerOf(headers, WEBHOOK_HEADERS.signature));
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  if (!(await isSigned(timestamp, body, signatures, secretsOf(secret)))) {
    throw new WebhookVerificationError('signature does not match');
  }
  // Checked last, so that a caller without the secret learns nothing about the clock.
  if (Math.abs(nowUnix - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS) {
    throw new WebhookVerificationError('signature is too old, or from the future: compare the clocks');
  }
  return {
    event: eventOf(body),
    id: headerOf(headers, WEBHOOK_HEADERS.messageId),
    webhookId: headerOf(headers, WEBHOOK_HEADERS.webhookId),
    timestampUnix: Number(timestamp),
  };
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]` */
function parseSignature(header: string): { timestamp: string; signatures: Uint8Array<ArrayBuffer>[] } {
  const parts = header.split(',').map((part) => part.trim());
  const timestamp = parts.map((part) => /^t=(\d{1,15})$/.exec(part)?.[1]).find(Boolean);
  const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/i.exec(part)?.[1] ?? []).map(bytesOf);
  if (timestamp === undefined || signatures.length === 0) {
    throw new WebhookVerificationError(`${WEBHOOK_HEADERS.signature} is missing or malformed`);
  }
  return { timestamp, signatures };
}

async function isSigned(
  timestamp: string,
  body: Uint8Array,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  secrets: readonly string[],
): Promise<boolean> {
  const signed = concatenated(new TextEncoder().encode(`${timestamp}.`), body);
  const checks = secrets.map(async (each) => {
    const key = await crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(each),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['verify'],
    );
    // The platform compares in constant time.
    return Promise.all(signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)));
  });
  return (await Promise.all(checks)).flat().includes(true);
}

function eventOf(body: Uint8Array): ParleyEvent {
  const event = JSON.parse(new TextDecoder().decode(body));
  // Payloads of early versions have no kind; they are messages.
  return 'kind' in event ? event : { ...event, kind: 'message' };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (isHeaders(headers)) return headers.get(name) ?? '';
  const [, value = ''] =
    Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase()) ?? [];
  return String(value);
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function concatenated(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
