import type { LinkedDevice } from '../../world/index.ts';
import { sessionIdOf } from '../../world/index.ts';
import type { Network } from '../network.ts';
import type { WirePairingService } from '../pairing/pairing-service.ts';
import type { Connection, Conversation, Greeter } from '../transport/connection.ts';
import type { Node } from '../transport/nodes.ts';
import { failure, streamError } from './endings.ts';
import type { VersionGate } from './version-gate.ts';

const NOT_LINKED = 401;
const TOO_OLD = 405;

const nothingMore: Conversation = { receive() {}, ended() {} };

/** Receives a client after its handshake: one that wants to be linked, one that is linked, or one that is neither. */
export function createGreeter({
  network: { world, companions },
  versions,
  pairing,
  open,
}: {
  network: Network;
  versions: Pick<VersionGate, 'isTooOld'>;
  pairing: WirePairingService;
  open: (connection: Connection, device: LinkedDevice, passive: boolean) => Conversation;
}): Greeter {
  const partFrom = (connection: Connection, last: Node): Conversation => {
    connection.close(last);
    return nothingMore;
  };

  return (connection, payload) => {
    const tooOld = versions.isTooOld(payload) ? { reason: TOO_OLD } : undefined;
    if (payload.devicePairingData && tooOld) return partFrom(connection, failure(tooOld));
    const screen = pairing.welcome(connection, payload);
    if (screen) return screen;
    const device = world.devices.get(sessionIdOf(String(payload.username ?? ''), payload.device ?? 0));
    if (!device || !companions.read(device).noiseKey.equals(connection.clientKey)) {
      return partFrom(connection, failure({ reason: NOT_LINKED }));
    }
    const refusal = world.faults.refusesLogin(device.sessionId) ?? tooOld;
    if (refusal) return partFrom(connection, failure(refusal));
    const ending = world.faults.endsLogin(device.sessionId);
    if (ending !== undefined) return partFrom(connection, streamError(ending));
    world.faults.deafens(device.sessionId);
    return open(connection, device, payload.passive ?? false);
  };
}
