import { describeNetworkDriver, GROUP_CHATS } from '../../testing/conformance/index.ts';
import { startWorld } from '../testing/worlds.ts';

describeNetworkDriver(
  'where people are addressed by number, the whatsapp',
  () => startWorld('pn'),
  GROUP_CHATS,
  ['nightly'],
);
