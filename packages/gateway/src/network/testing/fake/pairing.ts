import {
  type LinkedDevice,
  lidJid,
  type PairingService,
  type World,
  WorldError,
} from '@parley/sandbox/world';
import type { Clock, Random, Timer } from '#kernel';
import type { PairingAttempt, PairingProgress, PairingRequest } from '../../port.ts';
import { newCode } from './code.ts';
import type { Links } from './link.ts';
import { type Ceremony, startCeremony } from './passkey.ts';

export interface PairingOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly links: Links;
  /** Ceremonies under way, by phone; shown on it. */
  readonly ceremonies: Map<string, Ceremony>;
}

export interface Pairing {
  readonly pairing: PairingService;
  start(request: PairingRequest): PairingAttempt;
  cancelAll(): void;
}

/** A QR or code that a phone can answer. It stays known after its time, so that a late phone gets `gone`. */
interface Invitation {
  readonly request: PairingRequest;
  readonly expiresAt: number;
  answer(device: LinkedDevice): void;
  /** Resolves when a passkey of the phone was used, and the owner has compared the codes if required. */
  guard(phone: string): Promise<void>;
}

const QR_LIFETIME_MS = 60_000;

/** Pairing without a wire: QR payloads and codes are names of attempts in one table, which scans and typed codes look up. */
export function createPairing({ world, clock, random, links, ceremonies }: PairingOptions): Pairing {
  const invitations = new Map<string, Invitation>();
  const attempts = new Set<() => void>();

  const start = (request: PairingRequest): PairingAttempt => {
    const shown: string[] = [];
    let expiry: Timer | undefined;
    let ceremony: Ceremony | undefined;
    let over = false;

    const end = (): boolean => {
      if (over) return false;
      over = true;
      expiry?.cancel();
      attempts.delete(end);
      ceremony?.end();
      for (const secret of shown) invitations.delete(secret);
      return true;
    };

    const finish = (progress: PairingProgress): void => {
      if (end()) request.onProgress(progress);
    };

    const answer = (device: LinkedDevice): void => {
      if (device.phone !== request.phone) {
        world.devices.unlink(device.sessionId);
        finish({
          kind: 'failed',
          reason: 'The code was answered by another number than the registered one.',
        });
        return;
      }
      links.keep(request.linkId, device.sessionId);
      const { lid, name: pushName } = world.phones.person(device.phone);
      finish({ kind: 'paired', sessionId: device.sessionId, lid: lidJid(lid), pushName });
    };

    const guard = async (phone: string): Promise<void> => {
      expiry?.cancel();
      const report = (progress: PairingProgress): void =>
        progress.kind === 'failed' ? finish(progress) : request.onProgress(progress);
      ceremony?.end();
      ceremony = startCeremony({ world, clock, random, phone, report });
      ceremonies.set(phone, ceremony);
      await ceremony.agreed.finally(() => ceremonies.delete(phone));
      if (over) throw new WorldError('gone', 'the device that wanted to be linked went away');
    };

    const show = (secret: string, expiresAt: number): void => {
      shown.push(secret);
      invitations.set(secret, { request, expiresAt, answer, guard });
    };

    const showQr = (): void => {
      if (over) return;
      const qr = `fake,${request.linkId},${Buffer.from(random.bytes(16)).toString('base64url')}`;
      const expiresAt = clock.now() + QR_LIFETIME_MS;
      show(qr, expiresAt);
      expiry = clock.after(QR_LIFETIME_MS, showQr);
      request.onProgress({ kind: 'qr', qr, expiresAt });
    };

    const showCode = (): void => {
      if (over) return;
      const code = newCode(random);
      show(code, Number.POSITIVE_INFINITY);
      request.onProgress({ kind: 'code', code });
    };

    attempts.add(end);
    queueMicrotask(request.method === 'qr' ? showQr : showCode);
    return {
      answerPasskey: (credential) => ceremony?.answerPasskey(credential),
      confirm: () => ceremony?.confirm(),
      async cancel() {
        end();
      },
    };
  };

  const findInvitation = (method: PairingRequest['method'], secret: string): Invitation => {
    const invitation = invitations.get(secret);
    if (!invitation || invitation.request.method !== method) {
      throw new WorldError('not_found', 'no attempt shows this');
    }
    if (invitation.expiresAt <= clock.now()) throw new WorldError('gone', 'this has expired');
    return invitation;
  };

  const link = async (
    phone: string,
    invitation: Invitation,
    onGuarded?: () => void,
  ): Promise<LinkedDevice> => {
    if (world.phones.get(phone).requiresPasskey) {
      const guarded = invitation.guard(phone);
      onGuarded?.();
      await guarded;
    }
    const device = world.devices.link(phone, new Uint8Array());
    invitation.answer(device);
    return device;
  };

  return {
    start,
    cancelAll() {
      for (const end of attempts) end();
    },
    pairing: {
      scan: async (phone, qr, onGuarded) => link(phone, findInvitation('qr', qr), onGuarded),
      async enterCode(phone, code, onGuarded) {
        const invitation = findInvitation('code', code);
        // A code is valid for one number; for every other phone it is just a wrong code.
        if (invitation.request.phone !== phone) throw new WorldError('not_found', 'no attempt shows this');
        return link(phone, invitation, onGuarded);
      },
      guarded: (phone) => ceremonies.get(phone)?.screen,
    },
  };
}
