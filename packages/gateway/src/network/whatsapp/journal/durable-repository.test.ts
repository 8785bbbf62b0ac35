import { initAuthCreds, type SignalKeyStore } from 'baileys';
import { expect, test } from 'vitest';
import { installGuards } from '../guards/index.ts';
import { createMemoryKeys } from '../link/socket.ts';
import { bundleOf, forgetfulJournal, signalLog, startSignal } from '../testing/signal-ends.ts';
import { makeDurableRepository } from './durable-repository.ts';

installGuards();

const HERE = '15550001001@s.whatsapp.net';
const THERE = '15550002001@s.whatsapp.net';

/** Keys on a disk that can be paused: paused writes wait, and are lost when the process dies. */
function createDisk() {
  const kept = createMemoryKeys();
  let gate: Promise<void> = Promise.resolve();
  let open = (): void => {};
  const keys: SignalKeyStore = {
    get: (kind, ids) => kept.get(kind, ids),
    async set(data) {
      await gate;
      await kept.set(data);
    },
  };
  return {
    keys,
    hold() {
      ({ promise: gate, resolve: open } = Promise.withResolvers<void>());
    },
    release: () => open(),
  };
}

async function acquainted() {
  const disk = createDisk();
  const [mine, theirs] = [initAuthCreds(), initAuthCreds()];
  const here = startSignal(mine, disk.keys);
  const there = startSignal(theirs, createMemoryKeys());
  await here.injectE2ESession({ jid: THERE, session: bundleOf(theirs) as never });
  const hello = await here.encryptMessage({ jid: THERE, data: Buffer.from('hello') });
  await there.decryptMessage({ jid: HERE, ...hello });
  return { disk, mine, here, there };
}

/** After all work that needs no disk. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  promise.then(() => {
    pending = false;
  });
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  return pending;
}

test('releases an encrypted message after its ratchet step is on disk, so that no key is used twice', async () => {
  const { disk, mine, here, there } = await acquainted();
  disk.hold();
  const first = here.encryptMessage({ jid: THERE, data: Buffer.from('first') });
  expect(await isPending(first)).toBe(true);

  // The process dies before the commit, and another one starts from the disk.
  const again = startSignal(mine, { get: disk.keys.get, set: createMemoryKeys().set });
  const second = await again.encryptMessage({ jid: THERE, data: Buffer.from('second') });
  const plain = await there.decryptMessage({ jid: HERE, ...second });
  expect(Buffer.from(plain).toString()).toBe('second');
  disk.release();
  await first;
});

test('releases a decrypted message after its ratchet step is on disk', async () => {
  const { disk, mine, here, there } = await acquainted();
  const reply = await there.encryptMessage({ jid: HERE, data: Buffer.from('reply') });
  disk.hold();
  const read = here.decryptMessage({ jid: THERE, ...reply });
  expect(await isPending(read)).toBe(true);

  // An answer waits for it; otherwise it would use a ratchet key that a crash generates again.
  const answer = here.encryptMessage({ jid: THERE, data: Buffer.from('answer') });
  expect(await isPending(answer)).toBe(true);
  disk.release();
  expect(Buffer.from(await read).toString()).toBe('reply');

  const after = startSignal(mine, disk.keys);
  const received = [
    await answer,
    await after.encryptMessage({ jid: THERE, data: Buffer.from('after a crash') }),
  ];
  const texts = [];
  for (const one of received)
    texts.push(Buffer.from(await there.decryptMessage({ jid: HERE, ...one })).toString());
  expect(texts).toEqual(['answer', 'after a crash']);
});

test('answers repeated bytes from the journal, and reports others that cannot be decrypted', async () => {
  const { mine, there, disk } = await acquainted();
  const known = new Map<string, Uint8Array>();
  const unreadable: string[] = [];
  const nameOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  const here = startSignal(mine, disk.keys, {
    entryFor(ciphertext, plaintext) {
      known.set(nameOf(ciphertext), plaintext);
      return {};
    },
    plaintextOf: async (ciphertext) => known.get(nameOf(ciphertext)),
    unreadable: (ciphertext) => void unreadable.push(nameOf(ciphertext)),
  });
  const reply = await there.encryptMessage({ jid: HERE, data: Buffer.from('reply') });
  for (let copy = 0; copy < 2; copy++) {
    const read = await here.decryptMessage({ jid: THERE, ...reply });
    expect(Buffer.from(read).toString()).toBe('reply');
  }
  expect(unreadable).toEqual([]);
  const garbled = { ...reply, ciphertext: Buffer.from([...reply.ciphertext].reverse()) };
  await expect(here.decryptMessage({ jid: THERE, ...garbled })).rejects.toThrow();
  expect(unreadable).toEqual([nameOf(garbled.ciphertext)]);
});

test('refuses a session whose signed prekey the recipient has not signed, and keys without transactions', async () => {
  const [mine, theirs, stranger] = [initAuthCreds(), initAuthCreds(), initAuthCreds()];
  const here = startSignal(mine, createMemoryKeys());
  const bundle = bundleOf(theirs);
  const forged = {
    ...bundle,
    signedPreKey: { ...bundle.signedPreKey, signature: stranger.signedPreKey.signature },
  };
  await expect(here.injectE2ESession({ jid: THERE, session: forged as never })).rejects.toThrow('not signed');
  await expect(here.encryptMessage({ jid: THERE, data: Buffer.from('hello') })).rejects.toThrow();
  const bare = { creds: mine, keys: createMemoryKeys() as never };
  expect(() => makeDurableRepository(forgetfulJournal)(bare, signalLog, async () => undefined)).toThrow(
    TypeError,
  );
});
