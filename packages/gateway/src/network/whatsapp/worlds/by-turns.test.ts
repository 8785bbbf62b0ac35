import { AMONG_PEOPLE, describeNetworkDriver } from '../../testing/conformance/index.ts';
import { startWorld } from '../testing/worlds.ts';

/** As in the months in which accounts moved from one address to the other. */
describeNetworkDriver(
  'where people go by both addresses, the whatsapp',
  () => startWorld('mixed'),
  AMONG_PEOPLE,
);
