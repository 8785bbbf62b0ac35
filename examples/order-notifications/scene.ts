import { strict as assert } from 'node:assert';
import type { Scene } from '../stage/scene.ts';

export const scene: Scene = {
  begins: 'All customers are notified',
  async play({ ada, ben }) {
    await ada.sees(({ text }) => text === 'Your order 1042 is packed and leaves tomorrow.');
    await ben.sees(({ text }) => text === 'Your order 1043 is on its way.');
    for (const person of [ada, ben])
      assert.equal((await person.messages()).length, 1, 'each is notified once');
  },
};
