import { lendPicture, type NewPicture, type TempFiles } from '#actions';
import type { HostAction } from '#sessions';

interface Settings {
  readonly announce: boolean;
  readonly locked: boolean;
}

export interface GroupActions {
  /** Answers the id of the picture. */
  readonly setPhoto: HostAction<{ readonly group: string; readonly picture: NewPicture }, string>;
  /** Leaves what is absent as it is, and answers all of it. */
  readonly changeSettings: HostAction<{ readonly group: string } & Partial<Settings>, Settings>;
}

export function createGroupActions({ files }: { files: TempFiles }): GroupActions {
  return {
    setPhoto: {
      name: 'groups.set_photo_from_url',
      run: ({ number, session: { groups } }, { group, picture }) =>
        lendPicture(files, number.accountId, picture, (image) => groups.setPhoto(group, image)),
    },
    changeSettings: {
      name: 'groups.change_and_read_settings',
      async run({ session: { groups } }, { group, ...settings }) {
        await groups.changeSettings(group, settings);
        const { announce, locked } = await groups.detail(group);
        return { announce, locked };
      },
    },
  };
}
