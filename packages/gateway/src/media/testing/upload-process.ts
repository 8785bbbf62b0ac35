import { randomBytes } from 'node:crypto';
import { createStageAt } from './stage-at.ts';

/** Keeps files one after the other, several at once, and says which were kept, until it is killed. */
const [folder = '', url = '', masterKey = ''] = process.argv.slice(2);
const stage = await createStageAt(folder, url, Buffer.from(masterKey, 'hex'));

async function keepOn(): Promise<never> {
  for (;;) {
    const bytes = randomBytes(1 + (randomBytes(3).readUIntBE(0, 3) % 300_000));
    const { id, sha256 } = await stage.library.keep({ accountId: 'ada', phone: null }, stage.file(bytes));
    process.stdout.write(`${id} ${sha256}\n`);
  }
}

await Promise.all([keepOn(), keepOn(), keepOn(), keepOn()]);
