import { claimLane, releaseLane } from './delivery/lease-commands.ts';
import { writeResults } from './delivery/result-commands.ts';
import { dropExcess } from './history/excess.ts';

export const commands = [claimLane, releaseLane, writeResults, dropExcess];
