import {
  type AuthenticationCreds,
  type BinaryNode,
  buildPairingQRData,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type WABrowserDescription,
} from 'baileys';
import type { Clock, Timer } from '#kernel';
import { textOf } from './queries.ts';

/** How long the network lets a QR code live; the first one of a connection is given more time. */
const FIRST_LIFE_MS = 60_000;
const LIFE_MS = 20_000;

/**
 * Longer than any attempt. The library shows the QRs of a connection one after the other and ends the connection after the last, also when
 * somebody has scanned one and is asked for a passkey; so it is told to stay with the first, and the driver turns the pages.
 */
export const LIBRARY_QR_LIFE_MS = 24 * 60 * 60_000;

export const REFS_GIVEN = 'CB:iq,type:set,pair-device';

export interface QrRotation {
  stop(): void;
}

/** Shows the QRs of one connection, each for its time; `onUsedUp` when the last one is over. */
export function rotateQrs({
  refs,
  creds,
  browser,
  clock,
  show,
  onUsedUp,
}: {
  readonly refs: readonly string[];
  readonly creds: AuthenticationCreds;
  readonly browser: WABrowserDescription;
  readonly clock: Clock;
  readonly show: (qr: string, expiresAt: number) => void;
  readonly onUsedUp: () => void;
}): QrRotation {
  const startedAt = clock.now();
  const [noiseKey, identityKey] = [creds.noiseKey, creds.signedIdentityKey].map((pair) =>
    Buffer.from(pair.public).toString('base64'),
  );
  let next: Timer | undefined;

  /** By the time that has passed: when that was longer than a QR lives, those in between are worth nothing any more. */
  function turn(): void {
    const late = clock.now() - startedAt - FIRST_LIFE_MS;
    const place = late < 0 ? 0 : 1 + Math.floor(late / LIFE_MS);
    const ref = refs[place];
    if (ref === undefined) {
      onUsedUp();
      return;
    }
    const expiresAt = startedAt + FIRST_LIFE_MS + place * LIFE_MS;
    next = clock.after(expiresAt - clock.now(), turn);
    show(buildPairingQRData(ref, noiseKey ?? '', identityKey ?? '', creds.advSecretKey, browser), expiresAt);
  }

  turn();
  return { stop: () => next?.cancel() };
}

export function refsIn(stanza: BinaryNode): string[] {
  const given = getBinaryNodeChild(stanza, 'pair-device');
  return getBinaryNodeChildren(given, 'ref').flatMap((ref) => textOf(ref) ?? []);
}
