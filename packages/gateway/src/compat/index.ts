import type { ForeignSurface } from '#http';
import type { WebhookFormats } from '#webhooks';
import { createCloud } from './cloud/index.ts';
import type { CompatContext, Compatible } from './context.ts';
import { createEvolution } from './evolution/index.ts';
import { createSettling } from './settling.ts';

export { contextOfTemplate } from './cloud/templates/templates.ts';
export { contextOfName } from './names/names.ts';

/** Every interface of another program that there is: a folder each, and a line here. */
const COMPATIBLE = {
  evolution: createEvolution,
  cloud: createCloud,
} as const satisfies Record<string, (context: CompatContext) => Compatible>;

type SurfaceName = keyof typeof COMPATIBLE;

export interface Compat {
  surfaces(): ForeignSurface[];
  /** Of all of them: what was queued while a surface was served is delivered by whoever delivers. */
  readonly formats: WebhookFormats;
  stop(): Promise<void>;
}

export function createCompat(parts: Omit<CompatContext, 'settling'>): Compat {
  const context: CompatContext = { ...parts, settling: createSettling(parts) };
  const made = Object.entries(COMPATIBLE).map(([name, create]) => ({ name, ...create(context) }));
  return {
    surfaces: () =>
      made.flatMap(({ name, surface }) => {
        const host = parts.served.get(name as SurfaceName);
        return host === undefined ? [] : [{ ...surface, host: host || undefined }];
      }),
    formats: new Map(made.map(({ name, format }) => [name, format])),
    async stop() {
      await Promise.all(made.map(({ stop }) => stop?.()));
    },
  };
}

export { importInstance } from './evolution/import.ts';
export { isInstanceName } from './evolution/instance/name.ts';
