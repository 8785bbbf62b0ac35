import type { Scene } from '../stage/scene.ts';

export const scene: Scene = {
  async play({ ada, ben, number, program }) {
    const group = await ada.makesGroup('Lunch', [number, ben.phone]);
    await ada.says(group, 'poll Lunch? Soup, Salad');
    const onAda = await ada.sees(({ type }) => type === 'poll');
    const onBen = await ben.sees(({ type }) => type === 'poll');
    await ada.votes(onAda.message_id, 'Soup');
    await ben.votes(onBen.message_id, 'Soup');
    await program.prints('Voted: Soup', 2);
    await ben.says(group, 'result');
    await ada.sees(({ text }) => text === 'Lunch?\nSoup: 2\nSalad: 0');
  },
};
