import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createLocalBus } from '#platform/bus';
import type { CompatContext } from '../context.ts';
import { createEvolution } from './index.ts';

const GUIDE = readFileSync(
  new URL('../../../../../../docs/migrating-from-evolution.md', import.meta.url),
  'utf8',
);

/** `/chat/findChats/:instance` → [`chat`, `findChats`] */
function placeOf(path: string): [string, string] {
  const [, area = '', action = ''] = path.split('/');
  return [area, action];
}

describe('the guide for moving from Evolution', () => {
  // Lists endpoints without calling them, so their dependencies stay empty.
  const context: Partial<CompatContext> = { bus: createLocalBus({ clock: createSteppedClock() }) };
  const { surface } = createEvolution(context as CompatContext);
  const places = surface.endpoints.filter(({ id }) => id !== 'welcome').map(({ path }) => placeOf(path));
  const rows = [...GUIDE.matchAll(/^\| `\/(\w+)` \| (.+) \|$/gm)];
  const working = new Map(
    rows.map(([, area = '', cell = '']) => [
      area,
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''),
    ]),
  );
  const disabled = /switched off.*?: (.+)\.$/m.exec(GUIDE)?.[1] ?? '';
  const off = new Set([...disabled.matchAll(/`\/(\w+)`/g)].map(([, area]) => area));

  it('lists exactly the endpoints that are served', () => {
    const served = places.filter(([area]) => !off.has(area)).map((place) => place.join('/'));
    const named = [...working].flatMap(([area, actions]) => actions.map((action) => `${area}/${action}`));
    expect([...new Set(served)].sort()).toEqual(named.sort());
  });

  it('lists every integration that answers as switched off', () => {
    const areas = places.map(([area]) => area).filter((area) => !working.has(area));
    expect([...new Set(areas)].sort()).toEqual([...off].sort());
  });
});
