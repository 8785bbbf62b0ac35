import { createReadStream } from 'node:fs';
import { generateProfilePicture } from 'baileys';
import type { MediaFile } from '../../content.ts';
import { NetworkError } from '../../errors.ts';

/** The square JPEG that the network shows for groups and channels. */
export async function profilePictureFrom({ path }: MediaFile): Promise<Buffer> {
  try {
    const { img } = await generateProfilePicture({ stream: createReadStream(path) });
    return img;
  } catch (error) {
    throw new NetworkError('malformed', 'The file is not an image that can be a picture.', { cause: error });
  }
}
