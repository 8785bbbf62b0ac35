import { claimLane, releaseLane, writeResults } from './delivery/write-commands.ts';
import { dropExcess } from './history/write-commands.ts';
import { noteReceiver } from './receivers/write-commands.ts';

export const commands = [claimLane, releaseLane, writeResults, dropExcess, noteReceiver];
