import type { Scene } from '../stage/scene.ts';

export const scene: Scene = {
  async play({ ada, number }) {
    await ada.says(number, 'Is anybody there?');
    await ada.sees(
      (message) => message.text === 'Is anybody there?' && message.quoted_message_id !== undefined,
    );
  },
};
