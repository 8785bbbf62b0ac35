import { strict as assert } from 'node:assert';
import type { Scene } from '../stage/scene.ts';

export const scene: Scene = {
  async play({ ada, ben }) {
    const [group] = await ada.groups();
    assert.equal(group?.name, 'Harbour club');
    // Ben is not an admin, so he gets no answer.
    await ben.says(group.jid, '!quiet');
    await ada.says(group.jid, '!link');
    await ben.sees(({ text }) => /^https:\/\/chat\.whatsapp\.com\/\w+$/.test(text));
    await ada.says(group.jid, '!quiet');
    await ben.sees(({ text }) => text === 'Only admins may write now.');
    assert.equal((await ben.messages()).filter(({ text }) => text.startsWith('Only')).length, 1);
  },
};
