import type { AnsweredAttempt } from '@parley/contract';
import { deliveryTexts } from '../../../texts/deliveries.ts';
import { Badge, Card, CodePanel, formatMs, formatTime } from '../../../ui/index.ts';
import { summarizeAttempt } from '../delivery.ts';
import { headersText } from './headers-text.ts';

/** Attempts in order; the last one is expanded. */
export function Attempts({ attempts }: { attempts: readonly AnsweredAttempt[] }) {
  return (
    <Card title={deliveryTexts.timeline}>
      {attempts.length === 0 && <p class="quiet">{deliveryTexts.none}</p>}
      <ol class="attempts">
        {attempts.map((attempt, place) => (
          // Attempts have no id; their index is their key.
          <li key={place}>
            <details open={place === attempts.length - 1}>
              <summary>
                <Badge tone={attempt.cause === null ? 'good' : 'bad'}>{summarizeAttempt(attempt)}</Badge>
                <span>{formatTime(attempt.at_unix)}</span>
                <span class="quiet">{deliveryTexts.took(formatMs(attempt.duration_ms))}</span>
              </summary>
              <AnswerOf attempt={attempt} />
            </details>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function AnswerOf({ attempt: { answer, status_code } }: { attempt: AnsweredAttempt }) {
  if (answer === null) {
    return <p class="quiet">{status_code === undefined ? deliveryTexts.noAnswer : deliveryTexts.noBody}</p>;
  }
  return (
    <div class="stack">
      {answer.body === '' ? (
        <p class="quiet">{deliveryTexts.noBody}</p>
      ) : (
        <CodePanel
          title={answer.cut ? deliveryTexts.answerCut : deliveryTexts.answerBody}
          code={answer.body}
        />
      )}
      <CodePanel title={deliveryTexts.answerHeaders} code={headersText(answer.headers)} />
    </div>
  );
}
