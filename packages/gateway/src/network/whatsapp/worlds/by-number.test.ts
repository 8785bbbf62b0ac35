import { AMONG_PEOPLE, describeNetworkDriver } from '../../testing/conformance/index.ts';
import { startWorld } from '../testing/worlds.ts';

describeNetworkDriver('where people go by their number, the whatsapp', () => startWorld('pn'), AMONG_PEOPLE);
