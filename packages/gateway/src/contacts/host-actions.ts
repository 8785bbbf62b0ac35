import { lendPicture, type NewPicture, type TempFiles } from '#actions';
import type { HostAction } from '#sessions';

export interface ContactActions {
  /** Answers the id of the picture. */
  readonly setOwnPhoto: HostAction<NewPicture, string>;
}

export function createContactActions({ files }: { files: TempFiles }): ContactActions {
  return {
    setOwnPhoto: {
      name: 'contacts.set_own_photo_from_url',
      run: ({ number, session: { contacts } }, picture) =>
        lendPicture(files, number.accountId, picture, (image) => contacts.setOwnPhoto(image)),
    },
  };
}
