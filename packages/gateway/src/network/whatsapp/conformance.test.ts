import { describeNetworkDriver } from '../testing/conformance/index.ts';
import { startWorld } from './testing/worlds.ts';

describeNetworkDriver('whatsapp', () => startWorld());
