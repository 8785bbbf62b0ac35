import type { Random, SealedBox } from '#kernel';

const SECRET_BYTES = 32;

export function newSecret(random: Pick<Random, 'bytes'>): string {
  return `whsec_${Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url')}`;
}

export function sealSecret(
  sealedBox: Pick<SealedBox, 'seal'>,
  webhookId: string,
  secret: string,
): Uint8Array {
  return sealedBox.seal(Buffer.from(secret), contextOf(webhookId));
}

export function openSecret(
  sealedBox: Pick<SealedBox, 'open'>,
  webhookId: string,
  sealed: Uint8Array,
): string {
  return Buffer.from(sealedBox.open(sealed, contextOf(webhookId))).toString();
}

function contextOf(webhookId: string): string {
  return `webhook secret ${webhookId}`;
}
