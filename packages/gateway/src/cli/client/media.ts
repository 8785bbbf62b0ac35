import { openAsBlob } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { CommandError, type Run } from '../command.ts';
import type { MEDIA_GET, MEDIA_UPLOAD } from '../specs.ts';
import { account } from './connect.ts';
import { saveAnswer } from './save-answer.ts';
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
