import { createHash } from 'node:crypto';

/** Clients expect ids of digits only: made from ours, the same for ever. */
function digits(text: string): string {
  const number = createHash('sha256').update(text).digest().readBigUInt64BE() % 900_000_000_000_000n;
  return String(100_000_000_000_000n + number);
}

export function accountIdOf(accountId: string): string {
  return digits(`account ${accountId}`);
}

export function templateIdOf(
  accountId: string,
  { name, language }: { name: string; language: string },
): string {
  return digits(`template ${accountId} ${name} ${language}`);
}
