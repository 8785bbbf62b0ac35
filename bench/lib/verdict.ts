/** Prints one figure against its target; `bench/run.ts` collects these lines. A missed target fails the process. */
export function verdict({ name, figure, ...target }: Verdict): void {
  const unit = target.unit ? ` ${target.unit}` : '';
  const isHeld = 'atMost' in target ? figure <= target.atMost : figure >= target.atLeast;
  const bound = 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`;
  console.log(`${name} ${figure.toFixed(2)}${unit} (target ${bound}${unit}) ${isHeld ? 'holds' : 'MISSED'}`);
  if (!isHeld) process.exitCode = 1;
}

type Verdict = {
  readonly name: string;
  readonly figure: number;
  readonly unit?: string;
} & ({ readonly atMost: number } | { readonly atLeast: number });
