import { getBinaryNodeChild, type WASocket } from 'baileys';
import type { Jid, MediaFile } from '../../content.ts';
import { profilePictureFrom } from '../convert/outbound.ts';
import { queryNetwork } from '../link/queries.ts';

/**
 * Sets the picture of a group, or without one the number's own. The library does not return the id of the new
 * picture.
 */
export async function setPicture(
  sock: WASocket,
  group: Jid | undefined,
  image: MediaFile | null,
): Promise<string> {
  const picture = image ? await profilePictureFrom(image) : undefined;
  const answer = await queryNetwork(
    sock,
    { type: 'set', xmlns: 'w:profile:picture', ...(group === undefined ? {} : { target: group }) },
    picture && [{ tag: 'picture', attrs: { type: 'image' }, content: picture }],
  );
  return picture ? (getBinaryNodeChild(answer, 'picture')?.attrs.id ?? '') : '';
}
