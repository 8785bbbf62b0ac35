import { BufferJSON } from 'baileys';
import {
  GroupCipher,
  GroupSessionBuilder,
  SenderKeyName,
  SenderKeyRecord,
} from 'baileys/lib/Signal/Group/index.js';
import { ProtocolAddress } from 'libsignal';
import { expect, test } from 'vitest';
import { useCheaperSignal } from './index.ts';

useCheaperSignal();

const name = new SenderKeyName('group@g.us', new ProtocolAddress('author', 0));

/** The sender keys of one device, stored as bytes. */
function createKeys() {
  let kept: Uint8Array | undefined;
  return {
    async loadSenderKey() {
      return kept ? SenderKeyRecord.deserialize(kept) : new SenderKeyRecord();
    },
    async storeSenderKey(_name: SenderKeyName, record: SenderKeyRecord) {
      kept = Buffer.from(JSON.stringify(record.serialize()));
    },
    size: () => kept?.length ?? 0,
  };
}

async function createTalk() {
  const author = createKeys();
  const reader = createKeys();
  const distribution = await new GroupSessionBuilder(author).create(name);
  await new GroupSessionBuilder(reader).process(name, distribution);
  const seal = new GroupCipher(author, name);
  const open = new GroupCipher(reader, name);
  return {
    author,
    reader,
    write: (text: string) => seal.encrypt(Buffer.from(text)),
    read: async (bytes: Uint8Array) => Buffer.from(await open.decrypt(bytes)).toString(),
  };
}

test('messages are decrypted in any order', async () => {
  const { write, read } = await createTalk();
  const [one, two, three] = [await write('one'), await write('two'), await write('three')];
  expect(await read(two)).toBe('two');
  expect(await read(three)).toBe('three');
  expect(await read(one)).toBe('one');
});

test('a record is read in every format that was ever written', async () => {
  const { author, write, read } = await createTalk();
  const record = await author.loadSenderKey();
  for (const form of [
    JSON.stringify(record.serialize()),
    JSON.stringify(record.serialize(), BufferJSON.replacer),
  ])
    await author.storeSenderKey(name, SenderKeyRecord.deserialize(Buffer.from(form)));
  const plain = JSON.stringify(record.serialize(), (_key, value) =>
    value?.type === 'Buffer' ? Object.assign({}, value.data) : value,
  );
  await author.storeSenderKey(name, SenderKeyRecord.deserialize(Buffer.from(plain)));
  expect(await read(await write('still'))).toBe('still');
});

test('neither end stores more over time', async () => {
  const { author, reader, write, read } = await createTalk();
  const sizes: number[] = [];
  for (let count = 0; count < 50; count++) {
    await read(await write(`${count}`));
    sizes.push(author.size() + reader.size());
  }
  expect(Math.max(...sizes.slice(-10)) - Math.max(...sizes.slice(0, 10))).toBeLessThan(50);
});

test('a record that the library has filled stays usable, and is emptied', async () => {
  const { author, write, read } = await createTalk();
  await read(await write('first'));
  const record = await author.loadSenderKey();
  const state = record.getSenderKeyState();
  const chain = state?.getSenderChainKey();
  if (!state || !chain) throw new Error('there is no sender key');
  // The state that the library leaves: one step further, with the skipped key stored.
  state.addSenderMessageKey(chain.getSenderMessageKey());
  state.setSenderChainKey(chain.getNext());
  await author.storeSenderKey(name, record);
  expect(await read(await write('second'))).toBe('second');
  const { senderMessageKeys } = (await author.loadSenderKey()).getSenderKeyState()?.getStructure() ?? {};
  expect(senderMessageKeys).toEqual([]);
});
