import { createHash, createHmac } from 'node:crypto';
import { Curve, type KeyPair, proto } from 'baileys';

const ACCOUNT_SIGNATURE_PREFIX = Buffer.from([6, 0]);

export interface DeviceIdentityOrder {
  /** The phone's identity key, which signs the new device. */
  readonly account: KeyPair;
  readonly companionIdentity: Uint8Array;
  /** Shared with the client by its QR, or agreed by its pairing code. */
  readonly advSecret: Uint8Array;
  readonly device: number;
  readonly timestamp: number;
}

/** The proof that a phone linked this device: signed by the phone, and sealed with a secret from the scan. */
export function encodeDeviceIdentity(order: DeviceIdentityOrder): Uint8Array {
  const details = proto.ADVDeviceIdentity.encode({
    rawId: rawIdOf(order.account.public),
    timestamp: order.timestamp,
    keyIndex: order.device,
    accountType: proto.ADVEncryptionType.E2EE,
    deviceType: proto.ADVEncryptionType.E2EE,
  }).finish();
  const signed = proto.ADVSignedDeviceIdentity.encode({
    details,
    accountSignatureKey: order.account.public,
    accountSignature: Curve.sign(
      order.account.private,
      Buffer.concat([ACCOUNT_SIGNATURE_PREFIX, details, order.companionIdentity]),
    ),
  }).finish();
  return proto.ADVSignedDeviceIdentityHMAC.encode({
    details: signed,
    hmac: createHmac('sha256', order.advSecret).update(signed).digest(),
  }).finish();
}

/** Id of an installation of the app, for all lists of its devices. */
export function rawIdOf(identity: Uint8Array): number {
  return createHash('sha256').update(identity).digest().readUInt32BE() >>> 1;
}
