import { COOLDOWN_CONSECUTIVE_SENDS, type SendingState } from '@parley/contract';
import { nowUnix } from '../../kernel/clock.ts';
import { numbersTexts, numberTexts } from '../../texts/numbers.ts';
import { Meter } from '../../ui/charts/index.ts';
import { Card, Fact, Facts, formatNumber, formatSeconds, Note } from '../../ui/index.ts';

/** Current headroom within the number's limits. */
export function SendingCard({ sending }: { sending: SendingState }) {
  const { per_minute, remaining, reset_seconds, consecutive, paused_until_unix, queued } = sending;
  const pausedFor = paused_until_unix === null ? 0 : paused_until_unix - nowUnix();
  return (
    <Card title={numberTexts.sending}>
      {pausedFor > 0 && (
        <Note tone="warning" icon="warning">
          {numberTexts.cooldown(formatSeconds(pausedFor))}
        </Note>
      )}
      <Facts>
        <Fact name={numberTexts.rate}>{numbersTexts.perMinute(per_minute)}</Fact>
        <Fact name={numberTexts.ready}>
          {numberTexts.readyOf(remaining)}
          {reset_seconds > 0 && (
            <span class="quiet small">{numberTexts.whole(formatSeconds(reset_seconds))}</span>
          )}
        </Fact>
        <Fact name={numberTexts.queued}>{formatNumber(queued)}</Fact>
      </Facts>
      <div class="streak">
        <p class="row row-apart small">
          <span class="quiet">{numberTexts.streak}</span>
          <strong class="figures">
            {consecutive} / {COOLDOWN_CONSECUTIVE_SENDS}
          </strong>
        </p>
        <Meter label={numberTexts.streakLabel} share={consecutive / COOLDOWN_CONSECUTIVE_SENDS} />
        <p class="quiet small">{numberTexts.streakText}</p>
      </div>
    </Card>
  );
}
