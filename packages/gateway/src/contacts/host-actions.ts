import type { TempFiles } from '#actions';
import type { HostAction } from '#sessions';

export interface ContactActions {
  /** Answers the id of the picture; an empty URL removes it. */
  readonly setOwnPhoto: HostAction<{ readonly imageUrl: string }, string>;
}

export function createContactActions({ files }: { files: TempFiles }): ContactActions {
  return {
    setOwnPhoto: {
      name: 'contacts.set_own_photo_from_url',
      run: ({ session: { contacts } }, { imageUrl }) =>
        imageUrl === ''
          ? contacts.setOwnPhoto(null)
          : files.lend({ url: imageUrl, field: 'image_url', type: 'image' }, (image) =>
              contacts.setOwnPhoto(image),
            ),
    },
  };
}
