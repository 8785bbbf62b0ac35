export { createJournalDrain, type JournalDrain } from './drain.ts';
export { createJournal, decodePlaintext, type Journal, type JournalEntry } from './journal.ts';
export { makeDurableRepository } from './repository.ts';
