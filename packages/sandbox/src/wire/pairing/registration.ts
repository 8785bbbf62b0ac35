import { createHash } from 'node:crypto';
import { decoded } from '@parley/contract/plain';
import { proto } from 'baileys';
import type { Companion } from '../signal/companions.ts';

/**
 * Reads an unlinked client's registration. Undefined when it requests none, leaves keys out, or does not introduce itself as a web
 * client with its version and properties.
 */
export function readRegistration(payload: proto.IClientPayload, noiseKey: Buffer): Companion | undefined {
  const data = payload.devicePairingData;
  if (!data) return undefined;
  const { eRegid, eIdent, eSkeyId, eSkeyVal, eSkeySig } = data;
  if (eRegid?.length !== 4 || eIdent?.length !== 32 || eSkeyId?.length !== 3) return undefined;
  if (eSkeyVal?.length !== 32 || eSkeySig?.length !== 64) return undefined;
  if (!introducesWebClient(payload)) return undefined;
  return {
    noiseKey,
    identityKey: Buffer.from(eIdent),
    registrationId: Buffer.from(eRegid).readUInt32BE(),
    signedPreKey: {
      keyId: Buffer.from(eSkeyId).readUIntBE(0, 3),
      publicKey: Buffer.from(eSkeyVal),
      signature: Buffer.from(eSkeySig),
    },
    introduced: false,
  };
}

const { Platform } = proto.ClientPayload.UserAgent;

function introducesWebClient({ userAgent, webInfo, devicePairingData }: proto.IClientPayload): boolean {
  const { primary, secondary, tertiary } = userAgent?.appVersion ?? {};
  const build = createHash('md5').update([primary, secondary, tertiary].join('.')).digest();
  const props = decoded(() => proto.DeviceProps.decode(devicePairingData?.deviceProps ?? Buffer.of()));
  return (
    userAgent?.platform === Platform.WEB &&
    Boolean(userAgent.device && userAgent.osVersion && userAgent.mcc && userAgent.mnc && webInfo) &&
    build.equals(devicePairingData?.buildHash ?? Buffer.of()) &&
    Boolean(props?.os && props.historySyncConfig)
  );
}

/** The device type of the registration; undefined when it has none. */
export function readDeviceType({ devicePairingData }: proto.IClientPayload): number | undefined {
  const props = devicePairingData?.deviceProps ?? Buffer.of();
  return decoded(() => proto.DeviceProps.decode(props))?.platformType ?? undefined;
}
