export { createJournalDrain, type JournalDrain } from './drain.ts';
export { createJournal, decodePlaintext, type JournalEntry } from './journal.ts';
export { makeDurableRepository } from './repository.ts';
