import { strict as assert } from 'node:assert';
import type { Scene } from '../stage/scene.ts';

export const scene: Scene = {
  async play({ ada, owner, number, program }) {
    await ada.says(number, 'Is it ready?');
    await ada.sees(({ text }) => text.startsWith('Which order'));
    await ada.says(number, 'Number 1042');
    await ada.sees(({ text }) => text.includes('about order 1042'));
    await ada.says(number, 'When can I have it?');
    await ada.sees(({ text }) => text === 'Order 1042 is ready. We are open until six.');

    await owner.says(ada.phone, 'Hello Ada, I am bringing it over myself.');
    await ada.sees(({ text }) => text.startsWith('Hello Ada'));
    const before = (await ada.messages()).length;
    await ada.says(number, 'Is it ready?');
    await program.prints('A human talks with Ada');
    assert.equal((await ada.messages()).length, before);
  },
};
