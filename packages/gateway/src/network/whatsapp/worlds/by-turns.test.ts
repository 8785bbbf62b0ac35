import { describeNetworkDriver, GROUP_CHATS } from '../../testing/conformance/index.ts';
import { startWorld } from '../testing/worlds.ts';

/** As during the months in which accounts moved from one address to the other. */
describeNetworkDriver(
  'where people are addressed by both, the whatsapp',
  () => startWorld('mixed'),
  GROUP_CHATS,
);
