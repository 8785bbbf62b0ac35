export { type Arrived, decodePlaintext } from './arrived.ts';
export { createHandover, type Handover } from './drain.ts';
export { createJournal, type Journal } from './journal.ts';
export { makeDurableRepository } from './repository.ts';
