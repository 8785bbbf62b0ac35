import type { proto } from 'baileys';
import { type PairingService, type PhoneNumber, WorldError } from '../../world/index.ts';
import { createBoundedMap } from '../bounded-map.ts';
import type { Connection, ConnectionHandler } from '../transport/connection.ts';
import { createCodeRequestReader } from './code-requests.ts';
import { readDeviceType, readRegistration } from './registration.ts';
import { createScreen, type Screen, type ScreenServices } from './screen.ts';

/** Clients that wait to be linked, and the phones that link them. */
export interface WirePairingService extends PairingService {
  /** Undefined when the payload requests no registration. */
  accept(connection: Connection, payload: proto.IClientPayload): ConnectionHandler | undefined;
  /** Notifications that clients have not acknowledged before they were linked or left. */
  readonly unacknowledged: number;
}

/** Content of a client's QR: `<address>#ref,noiseKey,identityKey,advSecret,platform`. */
interface QrContent {
  readonly ref: string;
  readonly noiseKey: Buffer;
  readonly identityKey: Buffer;
  readonly advSecret: Buffer;
}

const HELLO_GRACE_MS = 1_000;

export function createPairingService(given: Omit<ScreenServices, 'readCodeRequest'>): WirePairingService {
  const services: ScreenServices = { ...given, readCodeRequest: createCodeRequestReader(given.clock) };
  /** In order of arrival; the latest one is in front of the person. */
  const screens = new Set<Screen>();
  let leftUnacknowledged = 0;
  /** Refs of closed screens, distinguished from unknown ones. */
  const goneRefs = createBoundedMap<string, true>(1_000);

  /** A client shows its code before the server has its request, so a fast entry waits a moment. */
  const screenAsking = async (phone: PhoneNumber): Promise<Screen | undefined> => {
    const find = (): Screen | undefined => [...screens].findLast((screen) => screen.codeFor === phone);
    const asking = find();
    const undecided = [...screens].filter((screen) => screen.codeFor === undefined);
    if (asking || undecided.length === 0) return asking;
    await new Promise<void>((resolve) => {
      const timer = services.clock.after(HELLO_GRACE_MS, resolve);
      for (const screen of undecided) {
        screen.onHello(() => {
          timer.cancel();
          resolve();
        });
      }
    });
    return find();
  };

  return {
    accept(connection, payload) {
      const companion = readRegistration(payload, connection.clientKey);
      if (!companion) return undefined;
      const screen = createScreen(
        services,
        connection,
        { companion, deviceType: readDeviceType(payload) },
        () => {
          screens.delete(screen);
          leftUnacknowledged += screen.unacknowledged;
          for (const ref of screen.refs) goneRefs.set(ref, true);
        },
      );
      screens.add(screen);
      return screen.handler;
    },

    async scan(phone, qr, onGuarded) {
      services.world.phones.get(phone);
      const { ref, noiseKey, identityKey, advSecret } = readQr(qr);
      const screen = [...screens].find((candidate) => candidate.refState(ref) !== undefined);
      if (!screen) {
        throw goneRefs.has(ref)
          ? new WorldError('gone', 'the QR has expired')
          : new WorldError('not_found', 'no device shows this QR');
      }
      if (screen.refState(ref) === 'expired') throw new WorldError('gone', 'the QR has expired');
      if (!screen.matches(noiseKey, identityKey)) {
        throw new WorldError('bad_request', 'the QR does not belong to the device that shows it');
      }
      return screen.linkByQr(phone, advSecret, onGuarded);
    },

    async enterCode(phone, code, onGuarded) {
      services.world.phones.get(phone);
      const screen = await screenAsking(phone);
      if (!screen) throw new WorldError('not_found', 'no device is waiting for a code of this number');
      return screen.linkByCode(phone, code.replaceAll('-', '').toUpperCase(), onGuarded);
    },

    get unacknowledged() {
      return [...screens].reduce((sum, screen) => sum + screen.unacknowledged, leftUnacknowledged);
    },

    guarded: (phone) => [...screens].map((screen) => screen.guarded(phone)).findLast(Boolean),
  };
}

function readQr(qr: string): QrContent {
  const [ref, noise, identity, adv] = qr.slice(qr.indexOf('#') + 1).split(',');
  const content = { ref: ref ?? '', noiseKey: key(noise), identityKey: key(identity), advSecret: key(adv) };
  if (
    !content.ref ||
    [content.noiseKey, content.identityKey, content.advSecret].some((k) => k.length !== 32)
  ) {
    throw new WorldError('bad_request', 'this is not the QR of a device that wants to be linked');
  }
  return content;
}

function key(text: string | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}
