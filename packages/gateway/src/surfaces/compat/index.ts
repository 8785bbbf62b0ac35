import type { CompatApi } from '#platform/http';
import type { WebhookFormats } from '#webhooks';
import { createCloud } from './cloud/index.ts';
import type { CompatContext, Compatible } from './context.ts';
import { createEvolution } from './evolution/index.ts';
import { createSettling } from './settling.ts';

export { contextOfTemplate, openTemplate } from './cloud/templates/templates.ts';
export { contextOfName } from './names/names.ts';

/** All interfaces of other programs, one folder each. */
const COMPATIBLE = {
  evolution: createEvolution,
  cloud: createCloud,
} as const satisfies Record<string, (context: CompatContext) => Compatible>;

type SurfaceName = keyof typeof COMPATIBLE;

export interface Compat {
  surfaces(): CompatApi[];
  /** Webhook formats of all surfaces, enabled or not: any process may deliver what was queued while a surface was enabled. */
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
export { isInstanceName } from './evolution/instances.ts';
