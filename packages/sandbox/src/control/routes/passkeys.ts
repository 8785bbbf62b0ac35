import Type from 'typebox';
import {
  type LinkedDevice,
  PASSKEY_FAULTS,
  type PairingService,
  type PasskeyFault,
  type World,
} from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import { canAccess, type Guest } from '../guests.ts';
import { type ControlRoute, phoneRoute } from '../route.ts';

/** A host name, to which a passkey is bound. */
export const RpId = Type.String({
  maxLength: 253,
  pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$',
});

const Base64Url = Type.String({ minLength: 1, maxLength: 65_536, pattern: '^[A-Za-z0-9_-]+$' });

/** The result of `PublicKeyCredential.toJSON()`; browsers add fields that are not used. */
const Attestation = Type.Object({
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  response: Type.Object({ clientDataJSON: Base64Url, attestationObject: Base64Url }),
});

/** The passkeys of a phone, and its screen while it waits for one. */
export function passkeyRoutes(world: World, pairing: PairingService): ControlRoute[] {
  return [
    phoneRoute(world, 'GET', { path: '/passkey', status: 200 }, ({ phone: { phone } }) =>
      world.passkeys.creation(phone),
    ),
    phoneRoute(
      world,
      'POST',
      { path: '/passkey', status: 201, body: Attestation },
      async ({ phone: { phone }, body: { id, rawId, type, response } }) => {
        const { clientDataJSON, attestationObject } = response;
        await world.passkeys.keep(phone, {
          id,
          rawId,
          type,
          response: { clientDataJSON, attestationObject },
        });
        return { credential_id: id };
      },
    ),
    phoneRoute(world, 'GET', { path: '/linking', status: 200 }, ({ phone: { phone } }) => {
      const screen = pairing.guarded(phone);
      return {
        stage: screen?.stage ?? 'none',
        code: screen?.stage === 'compare' ? `${screen.code.slice(0, 4)}-${screen.code.slice(4)}` : '',
      };
    }),
  ];
}

/** Answers at once when the phone waits for its passkey: its link ends later, in another request. */
export function answerOrGuarded(link: (onGuarded: () => void) => Promise<LinkedDevice>): Promise<object> {
  return new Promise((resolve, reject) => {
    link(() => resolve({ session_id: '', passkey_required: true })).then(
      ({ sessionId }) => resolve({ session_id: sessionId }),
      reject,
    );
  });
}

export function isPasskeyFault(fault: string): fault is PasskeyFault {
  return PASSKEY_FAULTS.some((known) => known === fault);
}

/** These faults apply to a phone that is not linked yet, so they are stored by its number. */
export function armPasskeyFault(
  world: World,
  guest: Guest | undefined,
  { phone, fault, count }: { phone: string | undefined; fault: PasskeyFault; count: number },
): object {
  if (phone === undefined) throw new Refusal(400, `phone is required for ${fault}`);
  if (!world.phones.find(phone) || !canAccess(world, guest, phone)) {
    throw new Refusal(404, `there is no virtual phone ${phone}`);
  }
  world.passkeys.arm(phone, fault, count);
  return { phone, fault, count };
}
