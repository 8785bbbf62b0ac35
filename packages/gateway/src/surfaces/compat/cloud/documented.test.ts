import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSteppedClock } from '#kernel';
import { createLocalBus } from '#platform/bus';
import type { CompatContext } from '../context.ts';
import { GraphError } from './graph-error.ts';
import { createCloud } from './index.ts';
import { mapSend } from './sends/message.ts';

const guide = readFileSync(new URL('../../../../../../docs/cloud-api.md', import.meta.url), 'utf8');
const rows = (pattern: RegExp) =>
  [...guide.matchAll(pattern)].map((row) => row.slice(1).map((cell) => cell ?? ''));

describe('the guide', () => {
  test('lists exactly the requests that are served', () => {
    const context: Partial<CompatContext> = { bus: createLocalBus({ clock: createSteppedClock() }) };
    const { surface } = createCloud(context as CompatContext);
    const served = surface.endpoints
      .filter(({ path }) => !path.startsWith('/:version'))
      .map(({ method, path }) => `${method} ${path.replace(/^\/:id/, '/{}')}`);
    const listed = rows(/^\| `([A-Z]+ \/[^`]*)` \|/gm).map(([row = '']) => row.replace(/\{[^}]+\}/, '{}'));
    expect(listed.toSorted()).toEqual(served.toSorted());
  });

  test.each(rows(/^\| `(\w+)`(?: `(\w+)`)? \| (works|arrives|refused)/gm))(
    'states correctly that %s %s %s',
    (type = '', inner = '', fate) => {
      const body = { messaging_product: 'whatsapp', to: '15550002001', type, [type]: { type: inner } };
      let code: number | undefined;
      try {
        mapSend(body, { phone: '15550001001', template: () => ({ text: 'x' }) });
      } catch (error) {
        if (!(error instanceof GraphError)) throw error;
        code = error.code;
      }
      // A supported type names its missing field.
      expect(code === 131051).toBe(fate === 'refused');
    },
  );
});
