import { type AuthenticationCreds, buildAckStanza, getBinaryNodeChild, type WASocket } from 'baileys';
import { unlessCutOff } from '../errors.ts';
import { isFromNetwork } from './passkey/stanzas.ts';

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
