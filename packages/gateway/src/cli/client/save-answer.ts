import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../command.ts';
import type { Terminal } from '../terminal.ts';

/** Writes a file that the gateway answered with: where it is told to, or to the standard output. */
export async function saveAnswer(
  answer: Response,
  out: string | undefined,
  terminal: Pick<Terminal, 'show'>,
): Promise<void> {
  if (!answer.body) throw new CommandError('the gateway answered without a file');
  const bytes = Readable.fromWeb(answer.body);
  if (out === undefined) return pipeline(bytes, process.stdout, { end: false });
  try {
    // What is there already may be somebody's only copy.
    await pipeline(bytes, createWriteStream(out, { flags: 'wx' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new CommandError(`${out} is there already`);
    await rm(out, { force: true });
    throw new CommandError(`the file did not arrive whole, or ${out} cannot be written`, { cause: error });
  }
  const mimetype = answer.headers.get('content-type') ?? '';
  const size = Number(answer.headers.get('content-length'));
  terminal.show({ file: out, mimetype, size }, () => `${out}: ${mimetype}, ${size} bytes`);
}
