import type { proto } from 'baileys';
import type { LinkedDevice } from '../../world/index.ts';
import { sessionIdOf } from '../../world/index.ts';
import type { Network } from '../network.ts';
import type { WirePairingService } from '../pairing/pairing-service.ts';
import type { Connection, ConnectionHandler, LoginHandler } from '../transport/connection.ts';
import type { Node } from '../transport/nodes.ts';
import { failure, streamError } from './final-stanzas.ts';
import { type GuardedLogins, NOT_LINKED } from './guarded-logins.ts';
import type { VersionGate } from './version-gate.ts';

const TOO_OLD = 405;

const closedHandler: ConnectionHandler = { receive() {}, ended() {} };

/** Takes a client after its handshake: one to be linked, a linked device, or an unknown one. */
export function createLoginHandler({
  network: { world, companions },
  versions,
  pairing,
  guardedLogins,
  onClient,
  open,
}: {
  network: Network;
  versions: Pick<VersionGate, 'isTooOld' | 'notice'>;
  pairing: WirePairingService;
  guardedLogins: Pick<GuardedLogins, 'hold'>;
  onClient: (payload: proto.IClientPayload) => void;
  open: (connection: Connection, device: LinkedDevice, passive: boolean) => ConnectionHandler;
}): LoginHandler {
  const refuseWith = (connection: Connection, last: Node): ConnectionHandler => {
    connection.close(last);
    return closedHandler;
  };

  return (connection, payload) => {
    onClient(payload);
    const tooOld = versions.isTooOld(payload) ? { reason: TOO_OLD } : undefined;
    if (payload.devicePairingData && tooOld) return refuseWith(connection, failure(tooOld));
    const screen = pairing.accept(connection, payload);
    if (screen) return screen;
    const device = world.devices.get(sessionIdOf(String(payload.username ?? ''), payload.device ?? 0));
    if (!device || !companions.read(device).noiseKey.equals(connection.clientKey)) {
      return refuseWith(connection, failure({ reason: NOT_LINKED }));
    }
    const refusal = world.faults.refusesLogin(device.sessionId) ?? tooOld;
    if (refusal) return refuseWith(connection, failure(refusal));
    const ending = world.faults.endsLogin(device.sessionId);
    if (ending !== undefined) return refuseWith(connection, streamError(ending));
    const letIn = (): ConnectionHandler => {
      world.faults.startsDroppingTraffic(device.sessionId);
      const handler = open(connection, device, payload.passive ?? false);
      const notice = versions.notice(payload);
      if (notice) connection.send(notice);
      return handler;
    };
    const isGuarded = world.passkeys.isArmed(device.phone, 'passkey_at_login');
    return isGuarded ? guardedLogins.hold(connection, device, letIn) : letIn();
  };
}
