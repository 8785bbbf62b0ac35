/** Signature of webhooks: header names, the signed string, and the format of the signature header. Contains no cryptography. */

export const WEBHOOK_HEADERS = {
  webhookId: 'X-Webhook-ID',
  messageId: 'X-Message-ID',
  timestamp: 'X-Timestamp',
  signature: 'X-Webhook-Signature',
} as const;

/** Input of the HMAC-SHA256, with the body exactly as sent. */
export function signedText(timestampUnix: number, rawBody: string): string {
  return `${timestampUnix}.${rawBody}`;
}

/** During a rotation there are two signatures, the new secret's first. */
export function formatSignature(timestampUnix: number, hexSignatures: readonly string[]): string {
  return [`t=${timestampUnix}`, ...hexSignatures.map((hex) => `v1=${hex}`)].join(',');
}

export function parseSignature(header: string): { timestampUnix: number; hexSignatures: string[] } | null {
  const parts = header.split(',').map((part) => part.trim());
  const timestamp = parts.find((part) => /^t=[0-9]{1,15}$/.test(part));
  const hexSignatures = parts
    .filter((part) => /^v1=[0-9a-f]{64}$/i.test(part))
    .map((part) => part.slice('v1='.length));
  if (timestamp === undefined || hexSignatures.length === 0) return null;
  return { timestampUnix: Number(timestamp.slice('t='.length)), hexSignatures };
}
