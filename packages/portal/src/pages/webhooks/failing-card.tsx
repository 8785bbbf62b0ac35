import type { FailingReceiver } from '@parley/contract';
import { call, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { loadFailing } from '../../state/failing.ts';
import { may } from '../../state/visit.ts';
import { failingTexts } from '../../texts/receivers.ts';
import {
  Ago,
  Button,
  Card,
  ErrorNote,
  Fact,
  Facts,
  formatMoment,
  formatNumber,
  toast,
} from '../../ui/index.ts';
import { FailureText, titleOfFailure } from './failure.tsx';

const COUNTED_UP_TO = 10_000;

/** Failure of one address: reason, begin and next attempt. */
export function FailingCard({
  receiver,
  webhookId,
  onTried,
}: {
  receiver: FailingReceiver;
  webhookId: string;
  onTried: () => void;
}) {
  const { run, busy, problem } = useAction(async () => {
    await call('hurryMyWebhook', { params: { id: webhookId } });
    toast(failingTexts.trying);
    onTried();
    await loadFailing();
  });
  const { url, cause, status_code, waiting, next_attempt_at_unix, oldest_waiting_at_unix } = receiver;
  return (
    <div class="failing">
      <Card
        title={titleOfFailure(cause, url, status_code)}
        actions={
          may('build') && (
            <Button look="primary" icon="refresh" busy={busy.value} onClick={() => inBackground(run())}>
              {failingTexts.tryNow}
            </Button>
          )
        }
      >
        <Facts>
          <Fact name={failingTexts.since}>
            <Ago at={receiver.failing_since_unix} />
          </Fact>
          <Fact name={failingTexts.last}>
            <Ago at={receiver.last_failure_at_unix} />
          </Fact>
          <Fact name={failingTexts.next}>
            {next_attempt_at_unix === null ? failingTexts.withNextEvent : formatMoment(next_attempt_at_unix)}
          </Fact>
          <Fact name={failingTexts.waiting}>
            {waiting >= COUNTED_UP_TO ? failingTexts.manyWaiting : formatNumber(waiting)}
          </Fact>
          {oldest_waiting_at_unix !== null && (
            <Fact name={failingTexts.oldest}>
              <Ago at={oldest_waiting_at_unix} />
            </Fact>
          )}
        </Facts>
        <Facts>
          <Fact name={failingTexts.address}>
            <code>{url}</code>
          </Fact>
        </Facts>
        <FailureText cause={cause} />
        {receiver.left_alone && <p class="quiet">{failingTexts.leftAlone}</p>}
        {problem.value && <ErrorNote problem={problem.value} />}
      </Card>
    </div>
  );
}
