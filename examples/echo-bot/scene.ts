import type { Scene } from '../stage/scene.ts';

export const scene: Scene = {
  async play({ ada, number }) {
    await ada.says(number, 'Are you there?');
    await ada.sees((message) => message.text === 'Are you there?' && message.quoted_message_id !== undefined);
  },
};
