import type { PortalNumber } from '@parley/contract';
import { planNames } from '../../texts/labels.ts';
import { numbersTexts, numberTexts } from '../../texts/numbers.ts';
import { Ring } from '../../ui/charts/index.ts';
import { Badge, formatPercent, formatPhone } from '../../ui/index.ts';
import { HealthBadge } from './health/health-badge.tsx';
import { StatusBadge } from './status-badge.tsx';

/** Card of a number: state of its link and used quota. */
export function NumberCard({ number }: { number: PortalNumber }) {
  const { phone, plan, used, quota, sending, health, nickname } = number;
  return (
    <article class="card number-card">
      <div class="stack">
        <h2>
          <a class="number-link" href={`/portal/numbers/${phone}`}>
            {formatPhone(phone)}
          </a>
        </h2>
        {nickname !== null && <p>{nickname}</p>}
        <div class="row">
          <StatusBadge number={number} />
          {health && health.state !== 'healthy' && health.state !== 'unlinked' && (
            <HealthBadge state={health.state} />
          )}
          <Badge tone="accent">{planNames[plan]}</Badge>
        </div>
        <p class="quiet small">
          {numbersTexts.usedOf(used, quota)}
          <br />
          {numbersTexts.perMinute(sending.per_minute)}
        </p>
      </div>
      <Ring label={numberTexts.quotaLabel} share={used / quota}>
        {formatPercent(used / quota)}
        <span class="ring-note">{numberTexts.used}</span>
      </Ring>
    </article>
  );
}
