export { decodePlaintext, type JournalEntry } from './arrived.ts';
export { createJournalDrain, type JournalDrain } from './drain.ts';
export { createJournal, type Journal } from './journal.ts';
export { makeDurableRepository } from './repository.ts';
