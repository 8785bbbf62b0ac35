import type { Delivery } from '@parley/contract';
import { call, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { logTexts } from '../../texts/webhooks.ts';
import {
  Actions,
  Ago,
  Button,
  CodePanel,
  Dialog,
  ErrorNote,
  Fact,
  Facts,
  formatMs,
  formatTime,
  toast,
} from '../../ui/index.ts';
import { nameOfKind, tellAttempt } from './delivery.ts';
import { DeliveryBadge } from './state-badge.tsx';

/** One delivery with all that was tried. */
export function DeliveryDialog({
  delivery,
  webhookId,
  onRedelivered,
  onClose,
}: {
  delivery: Delivery;
  webhookId: string;
  onRedelivered: () => void;
  onClose: () => void;
}) {
  const { delivery_id, kind, url, status, attempts, next_attempt_at_unix, event } = delivery;
  const { run, busy, problem } = useAction(async () => {
    await call('redeliverMine', { params: { id: webhookId, delivery_id } });
    toast(logTexts.redelivered);
    onRedelivered();
    onClose();
  });
  return (
    <Dialog title={`${logTexts.delivery}: ${nameOfKind(kind)}`} onClose={onClose} wide>
      <Facts>
        <Fact name={logTexts.status}>
          <DeliveryBadge status={status} />
        </Fact>
        {next_attempt_at_unix !== undefined && (
          <Fact name={logTexts.nextAttempt}>
            <Ago at={next_attempt_at_unix} />
          </Fact>
        )}
      </Facts>
      <Facts>
        <Fact name={logTexts.to}>
          <code>{url}</code>
        </Fact>
      </Facts>
      {attempts.length > 0 && (
        <table class="attempts">
          <caption class="unseen">{logTexts.attemptTable}</caption>
          <thead>
            <tr>
              <th scope="col">{logTexts.at}</th>
              <th scope="col">{logTexts.result}</th>
              <th scope="col">{logTexts.took}</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <tr key={attempt.at_unix}>
                <td>{formatTime(attempt.at_unix)}</td>
                <td>{tellAttempt(attempt)}</td>
                <td class="figures">{formatMs(attempt.duration_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <CodePanel title={logTexts.payload} code={JSON.stringify(event, null, 2)} />
      {problem.value && <ErrorNote problem={problem.value} />}
      <Actions>
        <Button onClick={onClose}>{words.close}</Button>
        {status === 'dead' && (
          <Button look="primary" icon="refresh" busy={busy.value} onClick={() => void run()}>
            {logTexts.redeliver}
          </Button>
        )}
      </Actions>
    </Dialog>
  );
}
