import { type GuardedScreen, type LinkedDevice, type PhoneNumber, WorldError } from '../../world/index.ts';
import { refusalOf } from '../errors.ts';
import type { Network } from '../network.ts';
import { type Ceremony, startCeremony } from '../pairing/passkey/ceremony.ts';
import { errorName } from '../ports.ts';
import type { Connection, ConnectionHandler } from '../transport/connection.ts';
import { node, SERVER } from '../transport/nodes.ts';
import { failure } from './final-stanzas.ts';

export const NOT_LINKED = 401;
const PASSKEY_REQUIRED = 428;
const PING = 'w:p';

/** Logins of linked devices for which the network wants the account's passkey. */
export interface GuardedLogins {
  /** Holds the login until the passkey was used, then opens it; ends it with 428 when it was not. */
  hold(connection: Connection, device: LinkedDevice, open: () => ConnectionHandler): ConnectionHandler;
  guarded(phone: PhoneNumber): GuardedScreen | undefined;
}

export function createGuardedLogins({
  world: { devices, passkeys },
  companions,
  clock,
  random,
  log,
}: Pick<Network, 'world' | 'companions' | 'clock' | 'log' | 'random'>): GuardedLogins {
  const ceremonies = new Set<Ceremony>();

  return {
    hold(connection, device, open) {
      const { noiseKey, identityKey } = companions.read(device);
      let opened: ConnectionHandler | undefined;
      const ceremony = startCeremony({
        passkeys,
        clock,
        random,
        phone: device.phone,
        client: { noiseKey, identityKey },
        isLogin: true,
        secret: undefined,
        send: (stanza) => connection.send(stanza),
      });
      ceremonies.add(ceremony);
      ceremony.agreed
        .then(
          () => {
            passkeys.consumeFault(device.phone, 'passkey_at_login');
            if (!devices.get(device.sessionId)) connection.close(failure({ reason: NOT_LINKED }));
            else if (connection.open) opened = open();
          },
          (error: unknown) => {
            if (!(error instanceof WorldError)) throw error;
            connection.close(failure({ reason: PASSKEY_REQUIRED }));
          },
        )
        .catch((error: unknown) => {
          log.warn({ session: device.sessionId, error: errorName(error) }, 'login failed');
          connection.close();
        })
        .finally(() => ceremonies.delete(ceremony));

      return {
        async receive(stanza) {
          if (opened) return opened.receive(stanza);
          const { id, xmlns } = stanza.attrs;
          if (stanza.tag !== 'iq' || id === undefined) return;
          try {
            const answer = await ceremony.answer(stanza);
            // Before the login is accepted, the network answers nothing else.
            if (!answer && xmlns !== PING) return;
            connection.send(node('iq', { from: SERVER, type: 'result', id }, answer?.content));
            answer?.onSent?.();
          } catch (error) {
            const { code, message } = refusalOf(error);
            connection.send(
              node('iq', { from: SERVER, type: 'error', id }, [node('error', { code, text: message })]),
            );
          }
        },
        ended() {
          ceremony.end();
          opened?.ended();
        },
      };
    },
    guarded: (phone) => [...ceremonies].findLast((each) => each.phone === phone)?.screen,
  };
}
