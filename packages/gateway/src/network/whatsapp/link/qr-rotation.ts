import {
  type AuthenticationCreds,
  type BinaryNode,
  buildAckStanza,
  buildPairingQRData,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type WABrowserDescription,
  type WASocket,
} from 'baileys';
import { type Clock, DAY_MS, type Timer } from '#kernel';
import { unlessCutOff } from '../errors.ts';
import { isFromNetwork } from './passkey/stanzas.ts';
import { textOf } from './queries.ts';

/** Lifetime of a QR code on the network; the first one of a connection lives longer. */
const FIRST_LIFE_MS = 60_000;
const LIFE_MS = 20_000;

/**
 * Longer than any attempt. The library rotates the QRs of a connection and closes it after the last one, even
 * when the owner has scanned one and is asked for a passkey. So the library stays with the first QR, and the
 * driver rotates them.
 */
export const LIBRARY_QR_LIFE_MS = DAY_MS;

export const REFS_GIVEN = 'CB:iq,type:set,pair-device';

export interface QrRotation {
  /** Shows the current QR again, with the secret that the credentials have now. */
  refresh(): void;
  stop(): void;
}

/** Shows the QRs of one connection, each for its lifetime; calls `onUsedUp` after the last one. */
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

  /** Skips QRs whose lifetime has passed meanwhile. */
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
  const stop = (): void => next?.cancel();
  return {
    refresh() {
      stop();
      turn();
    },
    stop,
  };
}

export function refsIn(stanza: BinaryNode): string[] {
  const given = getBinaryNodeChild(stanza, 'pair-device');
  return getBinaryNodeChildren(given, 'ref').flatMap((ref) => textOf(ref) ?? []);
}

/** Acknowledges notifications of a connection that is not linked yet: the library needs the number's address for it. */
export function acknowledgeBeforeLogin(
  sock: Pick<WASocket, 'sendNode' | 'ws'>,
  creds: Pick<AuthenticationCreds, 'me'>,
): void {
  sock.ws.on('CB:notification', (node) => {
    if (creds.me) return;
    sock
      .sendNode(buildAckStanza(node))
      .catch(unlessCutOff('a notification before the login could not be acknowledged'));
  });
}

const REFRESHES = ['companion_reg_refresh', 'pair-device-rotate-qr'];

/**
 * Since July 2026 the network answers the scan of some accounts with this notification: it retires the secret in
 * the QR, and only a QR with a new secret and the same ref links.
 */
export function onRegistrationRefresh(sock: Pick<WASocket, 'ws'>, refresh: () => void): void {
  sock.ws.on('CB:notification,type:companion_reg_refresh', (node) => {
    if (isFromNetwork(node) && REFRESHES.some((tag) => getBinaryNodeChild(node, tag))) refresh();
  });
}
