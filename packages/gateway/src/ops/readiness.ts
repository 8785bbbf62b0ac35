import { type Clock, within } from '#kernel';

/** A part that must work for this process to be useful. */
export interface Part {
  readonly name: string;
  /** Rejects when the part is unusable. */
  check(): Promise<void>;
}

const PATIENCE_MS = 2_000;

/** Names of the parts that fail or do not answer in time. */
export async function failingParts(parts: readonly Part[], clock: Clock): Promise<string[]> {
  const verdicts = await Promise.all(parts.map((part) => works(part, clock)));
  return parts.filter((_, index) => !verdicts[index]).map((part) => part.name);
}

async function works(part: Part, clock: Clock): Promise<boolean> {
  return within(clock, PATIENCE_MS, passes(part), () => new Error('too late')).catch(() => false);
}

async function passes(part: Part): Promise<boolean> {
  try {
    await part.check();
    return true;
  } catch {
    return false;
  }
}
