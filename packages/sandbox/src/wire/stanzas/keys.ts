import { createHash } from 'node:crypto';
import { jidDecode } from 'baileys';
import { sessionIdOf } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { Network, Session } from '../network.ts';
import { bundleNodes, idNode, readPreKey, readSignedPreKey } from '../signal/bundles.ts';
import type { KeyBundle } from '../signal/cipher.ts';
import { child, childBytes, children, type Node, node, SERVER } from '../transport/nodes.ts';
import type { IqHandler } from './iq.ts';

/** `encrypt`: a device's own keys on the server, and the keys of its recipients. */
export function createKeysHandler({ world, keyring, companions }: Network): IqHandler {
  /** Undefined for an unknown address. Every call uses up a one-time key. */
  const bundleFor = (jid: string): KeyBundle | undefined => {
    const person = world.phones.find(jid);
    if (!person) return undefined;
    const number = jidDecode(jid)?.device ?? 0;
    if (number === 0) {
      const { identity, registrationId, signedPreKey } = keyring.of(person.phone);
      const preKey = keyring.issuePreKey(person.phone);
      return {
        registrationId,
        identityKey: identity.public,
        signedPreKey: { ...signedPreKey, publicKey: signedPreKey.keyPair.public },
        preKey: { keyId: preKey.keyId, publicKey: preKey.keyPair.public },
      };
    }
    const device = world.devices.get(sessionIdOf(person.phone, number));
    return device && { ...companions.read(device), preKey: companions.takePreKey(device.sessionId) };
  };

  const handOut = (wanted: readonly Node[]): Node[] => [
    node(
      'list',
      {},
      wanted.flatMap(({ attrs: { jid = '' } }) => {
        const bundle = bundleFor(jid);
        return bundle ? node('user', { jid }, bundleNodes(bundle)) : [];
      }),
    ),
  ];

  const upload = ({ device }: Session, request: Node): Node[] => {
    const identityKey = childBytes(request, 'identity');
    const registration = childBytes(request, 'registration');
    const signedPreKey = readSignedPreKey(child(request, 'skey'));
    const preKeys = children(child(request, 'list'), 'key').flatMap((key) => readPreKey(key) ?? []);
    if (identityKey?.length !== 32 || registration?.length !== 4 || !signedPreKey || preKeys.length === 0) {
      throw new Refusal(400, 'bad-request');
    }
    world.transaction(() => {
      const registrationId = registration.readUInt32BE();
      companions.update(device.sessionId, { identityKey, registrationId, signedPreKey });
      companions.addPreKeys(device.sessionId, preKeys);
    });
    return [];
  };

  const rotate = ({ device }: Session, order: Node): Node[] => {
    const signedPreKey = readSignedPreKey(child(order, 'skey'));
    if (!signedPreKey) throw new Refusal(400, 'bad-request');
    companions.update(device.sessionId, { signedPreKey });
    return [];
  };

  return (session, request) => {
    const { sessionId } = session.device;
    const rotation = child(request, 'rotate');
    if (rotation) return rotate(session, rotation);
    if (request.attrs.type === 'set') return upload(session, request);
    const wanted = child(request, 'key');
    if (wanted) return handOut(children(wanted, 'user'));
    if (child(request, 'count')) {
      const none = world.standing.rules().fewKeys ? 1 : 0;
      return [node('count', { value: companions.preKeyCount(sessionId) || none })];
    }
    if (child(request, 'digest')) return [node('digest', {}, digestOf(session))];
    throw new Refusal(400, 'bad-request');
  };

  /** The server's digest of a device's keys, which the device compares with its own. */
  function digestOf({ device }: Session): Node[] {
    const companion = companions.read(world.devices.get(device.sessionId) ?? device);
    const { identityKey, signedPreKey } = companion;
    const preKeys = companions.preKeys(device.sessionId);
    const hash = createHash('sha1')
      .update(identityKey)
      .update(signedPreKey.publicKey)
      .update(signedPreKey.signature);
    for (const { publicKey } of preKeys) hash.update(publicKey);
    return [
      ...bundleNodes({ ...companion, preKey: undefined }),
      node('list', {}, preKeys.map(idNode)),
      node('hash', {}, hash.digest()),
    ];
  }
}

/** Asks a device for more one-time keys. */
export function fewPreKeysLeft(value: number, t: number): Node {
  return node('notification', { from: SERVER, id: `few-pre-keys-${t}-${value}`, type: 'encrypt', t }, [
    node('count', { value }),
  ]);
}
