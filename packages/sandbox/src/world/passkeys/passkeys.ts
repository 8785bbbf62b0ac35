import type { Phones } from '../people/types.ts';
import { type PhoneNumber, WorldError } from '../types.ts';
import type { Vault } from '../world.ts';
import type { WorldContext } from '../world-context.ts';
import { NotVerified, type PasskeyFault, type Passkeys } from './types.ts';

interface PasskeyRow {
  credential_id: string;
  public_key: Uint8Array<ArrayBuffer>;
  counter: number;
}

interface PasskeysNeeds {
  context: WorldContext;
  phones: Phones;
  vault: Vault;
  random: { bytes(count: number): Uint8Array };
}

const TIMEOUT_MS = 600_000;
const CHALLENGE_BYTES = 32;
/** Pending challenges for creating a passkey, by phone. */
const CREATIONS = 'passkey-creations';
const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;
const NAME_OF_THE_NETWORK = 'Parley sandbox';

/** Stored with the phones: passkeys and armed faults survive a restart of the network. */
export function createPasskeys({ context, phones, vault, random }: PasskeysNeeds): Passkeys {
  const { db } = context;
  const newChallenge = (): string => Buffer.from(random.bytes(CHALLENGE_BYTES)).toString('base64url');

  const find = (phone: PhoneNumber, credentialId: string): PasskeyRow | undefined =>
    db.get<PasskeyRow>('SELECT * FROM passkeys WHERE phone = ? AND credential_id = ?', phone, credentialId);

  return {
    of: (phone) =>
      db
        .all<PasskeyRow>('SELECT * FROM passkeys WHERE phone = ? ORDER BY credential_id', phone)
        .map(({ credential_id }) => credential_id),

    creation(phone) {
      const { name, lid, passkeyRpId: id } = phones.get(phone);
      const challenge = newChallenge();
      vault.write(CREATIONS, phone, Buffer.from(challenge));
      return {
        challenge,
        rp: { id, name: NAME_OF_THE_NETWORK },
        user: { id: Buffer.from(lid).toString('base64url'), name: phone, displayName: name },
        pubKeyCredParams: [ES256, EDDSA, RS256].map((alg) => ({ type: 'public-key', alg })),
        timeout: TIMEOUT_MS,
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      };
    },

    async keep(phone, attestation) {
      const { passkeyRpId: rpId } = phones.get(phone);
      const asked = vault.read(CREATIONS, phone);
      if (!asked) throw new WorldError('conflict', 'no creation of a passkey was requested for this phone');
      const { verifyAttestation } = await relyingParty();
      const made = await verifyAttestation({ attestation, rpId, challenge: Buffer.from(asked).toString() });
      context.act(() => {
        vault.erase(CREATIONS, phone);
        db.run(
          `INSERT INTO passkeys (phone, credential_id, public_key, counter) VALUES (?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET public_key = excluded.public_key, counter = excluded.counter`,
          phone,
          made.credentialId,
          made.publicKey,
          made.counter,
        );
      });
    },

    request(phone) {
      const { passkeyRpId: rpId } = phones.get(phone);
      if (!db.get('SELECT 1 FROM passkeys WHERE phone = ?', phone)) return undefined;
      return {
        challenge: newChallenge(),
        timeout: TIMEOUT_MS,
        rpId,
        allowCredentials: [],
        userVerification: 'required',
        extensions: { uvm: true },
      };
    },

    async verify(phone, challenge, assertion) {
      const { passkeyRpId: rpId } = phones.get(phone);
      const kept = find(phone, assertion.id);
      if (!kept) return false;
      const { verifyAssertion } = await relyingParty();
      const used = await verifyAssertion({
        assertion,
        rpId,
        challenge,
        passkey: { id: kept.credential_id, publicKey: kept.public_key, counter: kept.counter },
      }).catch(ignoreNotVerified);
      if (!used) return false;
      db.run(
        'UPDATE passkeys SET counter = ? WHERE phone = ? AND credential_id = ?',
        used.counter,
        phone,
        assertion.id,
      );
      return true;
    },

    arm(phone, fault, count) {
      phones.get(phone);
      db.run(
        `INSERT INTO passkey_faults (phone, kind, remaining) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET remaining = excluded.remaining`,
        phone,
        fault,
        count,
      );
    },

    isArmed: (phone, fault) =>
      db.get('SELECT 1 FROM passkey_faults WHERE phone = ? AND kind = ?', phone, fault) !== undefined,

    consumeFault: (phone: PhoneNumber, fault: PasskeyFault) =>
      context.act(() => {
        const met = db.run(
          'UPDATE passkey_faults SET remaining = remaining - 1 WHERE phone = ? AND kind = ?',
          phone,
          fault,
        );
        db.run('DELETE FROM passkey_faults WHERE remaining < 1');
        return met.changes > 0;
      }),
  };
}

/** For `catch`: the assertion is invalid, an expected outcome; rethrows every other error. */
function ignoreNotVerified(error: unknown): undefined {
  if (!(error instanceof NotVerified)) throw error;
}

/** Loaded on demand: the library is large, and most networks have no guarded phone. */
function relyingParty(): Promise<typeof import('./relying-party.ts')> {
  return import('./relying-party.ts');
}
