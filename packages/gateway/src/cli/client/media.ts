import { createWriteStream, openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { CommandError, type Run } from '../command.ts';
import type { MEDIA_GET, MEDIA_UPLOAD } from '../specs.ts';
import type { Terminal } from '../terminal.ts';
import { account } from './connect.ts';
import { isoTime } from './session.ts';

export const uploadMedia: Run<typeof MEDIA_UPLOAD> = async ({ args, options, connection, terminal }) => {
  const parley = account(connection);
  const file = args.file === '-' ? await buffer(process.stdin) : await opened(args.file);
  const uploaded = await parley.media.upload(file, { mimetype: options.type });
  const { media_id, mimetype, size, expires_at_unix } = uploaded;
  terminal.show(uploaded, () => `${media_id}: ${mimetype}, ${size} bytes, until ${isoTime(expires_at_unix)}`);
};

async function opened(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new CommandError(`${path} cannot be read`, { cause });
  }
}

export const getMedia: Run<typeof MEDIA_GET> = async ({ args, options, connection, terminal }) =>
  saveAnswer(await account(connection).media.download(args.media), options.out, terminal);

/** Writes a file that the gateway answered with, to the given path or the standard output. */
export async function saveAnswer(
  answer: Response,
  out: string | undefined,
  terminal: Pick<Terminal, 'show'>,
): Promise<void> {
  if (!answer.body) throw new CommandError('the gateway answered without a file');
  const bytes = Readable.fromWeb(answer.body);
  if (out === undefined) return pipeline(bytes, process.stdout, { end: false });
  try {
    // Never overwrites a file, which may be the only copy.
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
