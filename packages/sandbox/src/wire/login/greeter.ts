import type { LinkedDevice } from '../../world/index.ts';
import { sessionIdOf } from '../../world/index.ts';
import type { Network } from '../network.ts';
import type { WirePairingService } from '../pairing/pairing-service.ts';
import type { Connection, Conversation, Greeter } from '../transport/connection.ts';
import { node } from '../transport/nodes.ts';

/** Login failures, as the client knows them. */
const NOT_LINKED = 401;
const UNAVAILABLE = 503;

const nothingMore: Conversation = { receive() {}, ended() {} };

/** Receives a client after its handshake: one that wants to be linked, one that is linked, or one that is neither. */
export function createGreeter({
  network: { world, companions },
  pairing,
  open,
}: {
  network: Network;
  pairing: WirePairingService;
  open: (connection: Connection, device: LinkedDevice) => Conversation;
}): Greeter {
  const refuse = (connection: Connection, reason: number): Conversation => {
    connection.close(node('failure', { reason }));
    return nothingMore;
  };

  return (connection, payload) => {
    const screen = pairing.welcome(connection, payload);
    if (screen) return screen;
    const device = world.devices.get(sessionIdOf(String(payload.username ?? ''), payload.device ?? 0));
    if (!device || !companions.read(device).noiseKey.equals(connection.clientKey)) {
      return refuse(connection, NOT_LINKED);
    }
    if (world.faults.refusesLogin(device.sessionId)) return refuse(connection, UNAVAILABLE);
    return open(connection, device);
  };
}
