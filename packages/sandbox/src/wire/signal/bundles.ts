import { KEY_BUNDLE_TYPE } from 'baileys';
import { child, childBytes, type Node, node } from '../transport/nodes.ts';
import type { KeyBundle } from './cipher.ts';
import type { OneTimePreKey, SignedPreKey } from './companions.ts';

/** Signal key bundles as stanzas: ids are big-endian, 3 bytes; keys have no type byte. */

const ID_BYTES = 3;

export function bundleNodes(bundle: KeyBundle): Node[] {
  const { registrationId, identityKey, signedPreKey, preKey } = bundle;
  return [
    registrationNode(registrationId),
    node('type', {}, KEY_BUNDLE_TYPE),
    node('identity', {}, identityKey),
    node('skey', {}, [...keyNodes(signedPreKey), node('signature', {}, signedPreKey.signature)]),
    ...(preKey ? [node('key', {}, keyNodes(preKey))] : []),
  ];
}

export function registrationNode(registrationId: number): Node {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(registrationId);
  return node('registration', {}, bytes);
}

export function readSignedPreKey(skey: Node | undefined): SignedPreKey | undefined {
  const key = readPreKey(skey);
  const signature = childBytes(skey, 'signature');
  return key && signature?.length === 64 ? { ...key, signature } : undefined;
}

export function readPreKey(key: Node | undefined): OneTimePreKey | undefined {
  const id = childBytes(key, 'id');
  const publicKey = childBytes(key, 'value');
  if (id?.length !== ID_BYTES || publicKey?.length !== 32) return undefined;
  return { keyId: id.readUIntBE(0, ID_BYTES), publicKey };
}

/** The fresh keys that a device may add to a retry receipt. */
export function readRetryBundle(receipt: Node): KeyBundle | undefined {
  const keys = child(receipt, 'keys');
  const registration = childBytes(receipt, 'registration');
  const identityKey = childBytes(keys, 'identity');
  const signedPreKey = readSignedPreKey(child(keys, 'skey'));
  if (registration?.length !== 4 || identityKey?.length !== 32 || !signedPreKey) return undefined;
  return {
    registrationId: registration.readUInt32BE(),
    identityKey,
    signedPreKey,
    preKey: readPreKey(child(keys, 'key')),
  };
}

function keyNodes(key: { keyId: number; publicKey: Uint8Array }): Node[] {
  return [idNode(key), node('value', {}, key.publicKey)];
}

export function idNode({ keyId }: { keyId: number }): Node {
  const id = Buffer.alloc(ID_BYTES);
  id.writeUIntBE(keyId, 0, ID_BYTES);
  return node('id', {}, id);
}
