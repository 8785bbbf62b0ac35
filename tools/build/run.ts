import { buildGateway } from './gateway.ts';
import { buildPortal } from './portal.ts';

/** Builds the bundle and the pages unless they are up to date; `npm start` runs it every time. */
const BUILDS: Record<string, () => Promise<void>> = { portal: buildPortal, gateway: buildGateway };

const wanted = process.argv.slice(2);
for (const [name, build] of Object.entries(BUILDS))
  if (wanted.length === 0 || wanted.includes(name)) await build();
