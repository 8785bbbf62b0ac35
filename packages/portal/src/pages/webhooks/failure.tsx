import type { ReceiverFailure } from '@parley/contract';
import { failingTexts, failureTexts } from '../../texts/receivers.ts';

/** Explanation of a receiver's failure and steps to fix it. */
export function FailureText({ cause }: { cause: ReceiverFailure }) {
  const { text, steps } = failureTexts[cause];
  return (
    <>
      <p>{text}</p>
      <h3>{failingTexts.why}</h3>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  );
}

export function titleOfFailure(cause: ReceiverFailure, url: string, status: number | null): string {
  return failureTexts[cause].title(new URL(url).host, status);
}
