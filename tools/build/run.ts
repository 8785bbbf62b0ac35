import { buildGateway } from './gateway.ts';
import { buildPortal } from './portal.ts';

/** Makes what is run and served, where it is not of these sources already: `npm start` does it every time, and takes no time then. */
const BUILDS: Record<string, () => Promise<void>> = { portal: buildPortal, gateway: buildGateway };

const wanted = process.argv.slice(2);
for (const [name, build] of Object.entries(BUILDS))
  if (wanted.length === 0 || wanted.includes(name)) await build();
