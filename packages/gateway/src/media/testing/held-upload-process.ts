import { createStageAt } from './stage-at.ts';

/** Begins to keep a file of a size that is known, takes a part of it, says so, and waits for its end by a kill. */
const [folder = '', url = '', masterKey = '', size = '0'] = process.argv.slice(2);
const stage = await createStageAt(folder, url, Buffer.from(masterKey, 'hex'));

async function* endless(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(1_000);
  process.stdout.write('held\n');
  await new Promise(() => setInterval(() => {}, 60_000));
}

const file = { ...stage.file(Buffer.alloc(0)), bytes: endless(), size: Number(size) };
await stage.library.keep({ accountId: 'ada', phone: null }, file);
