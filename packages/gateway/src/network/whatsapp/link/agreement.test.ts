import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type BinaryNode, Curve, initAuthCreds, proto } from 'baileys';
import { expect, test } from 'vitest';
import { keepBeforeAgreeing } from './agreement.ts';

const creds = initAuthCreds();

/** The phone's agreement as it comes over the wire. */
function pairSuccess(secret = Buffer.from(creds.advSecretKey, 'base64')): BinaryNode {
  const phone = Curve.generateKeyPair();
  const inner = proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp: 1, keyIndex: 7 }).finish();
  const signed = Buffer.concat([Buffer.of(6, 0), inner, creds.signedIdentityKey.public]);
  const details = proto.ADVSignedDeviceIdentity.encode({
    details: inner,
    accountSignatureKey: phone.public,
    accountSignature: Curve.sign(phone.private, signed),
  }).finish();
  const hmac = createHmac('sha256', secret).update(details).digest();
  const identity = proto.ADVSignedDeviceIdentityHMAC.encode({ details, hmac }).finish();
  const content: BinaryNode[] = [
    { tag: 'device-identity', attrs: {}, content: identity },
    { tag: 'device', attrs: { jid: '15550001001:7@s.whatsapp.net', lid: '1:7@lid' } },
  ];
  return { tag: 'iq', attrs: { id: '1' }, content: [{ tag: 'pair-success', attrs: {}, content }] };
}

function connection(keep: Parameters<typeof keepBeforeAgreeing>[2]) {
  const ws = new EventEmitter();
  const said: string[] = [];
  ws.on('CB:iq,,pair-success', () => said.push('agreed'));
  const end = async (): Promise<void> => void said.push('ended');
  keepBeforeAgreeing({ ws, end } as never, creds, keep);
  return {
    said,
    async receive(stanza: BinaryNode) {
      ws.emit('CB:iq,,pair-success', stanza);
      for (let turn = 0; turn < 10; turn += 1) await null;
    },
  };
}

test('confirms to the network after the credentials are stored, and not earlier', async () => {
  const kept = Promise.withResolvers<boolean>();
  let id: string | undefined;
  const { said, receive } = connection((what) => {
    id = what.me?.id;
    return kept.promise;
  });
  await receive(pairSuccess());
  expect(id).toBe('15550001001:7@s.whatsapp.net');
  expect(said).toEqual([]);
  kept.resolve(true);
  for (let turn = 0; turn < 10; turn += 1) await null;
  expect(said).toEqual(['agreed']);
});

test('sends the network nothing about a link that is no longer wanted', async () => {
  const { said, receive } = connection(async () => false);
  await receive(pairSuccess());
  expect(said).toEqual([]);
});

test('stores nothing for a phone that does not know our secret', async () => {
  let kept = 0;
  const { said, receive } = connection(async () => {
    kept += 1;
    return true;
  });
  await receive(pairSuccess(Buffer.alloc(32)));
  expect([kept, said]).toEqual([0, ['ended']]);
});
