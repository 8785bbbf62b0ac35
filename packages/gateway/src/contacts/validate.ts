import { phoneDigits, type ValidatedNumber } from '@parley/contract';
import type { LookUpResult } from '#network';

type LookUp = (numbers: readonly string[]) => Promise<readonly LookUpResult[]>;

/** One result for each number asked for, in order. The network is asked about each real number once, and never about nonsense. */
export async function validateNumbers(
  numbers: readonly string[],
  lookUp: LookUp,
): Promise<ValidatedNumber[]> {
  const asked = numbers.map((text) => ({ text, digits: phoneDigits(text) }));
  const real = new Set(asked.flatMap(({ digits }) => digits ?? []));
  const found = new Map((await lookUp([...real])).map((result) => [result.number, result]));
  return asked.map(({ text, digits }) =>
    digits === null
      ? { query: text, on_messenger: false }
      : { query: `+${digits}`, ...registration(found.get(digits)) },
  );
}

function registration(result: LookUpResult | undefined): Omit<ValidatedNumber, 'query'> {
  if (result?.jid === undefined) return { on_messenger: false };
  const { jid, verifiedName } = result;
  return { on_messenger: true, jid, ...(verifiedName && { verified_name: verifiedName }) };
}
