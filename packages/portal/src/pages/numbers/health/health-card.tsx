import type { SessionHealth } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useLive, useResource } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { nowUnix } from '../../../kernel/clock.ts';
import { may } from '../../../state/visit.ts';
import { healthTexts } from '../../../texts/health.ts';
import { healthStates, holdReasons, restrictionKinds } from '../../../texts/labels.ts';
import { Ring } from '../../../ui/charts/index.ts';
import {
  Ago,
  Button,
  Card,
  Fact,
  Facts,
  formatSeconds,
  formatTime,
  Loaded,
  Note,
} from '../../../ui/index.ts';
import './health.css';
import { HealthBadge } from './health-badge.tsx';
import { HealthChart } from './health-chart.tsx';
import { PacingDialog } from './pacing-dialog.tsx';

const POLL_MS = 10_000;

/** Health of a number, advice, and its pacing. */
export function HealthCard({ phone }: { phone: string }) {
  const changes = useSignal(false);
  const health = useResource(() => call('getNumberHealth', { params: { phone } }), [phone], {
    everyMs: POLL_MS,
  });
  useLive((event) => {
    if (event.phone === phone && event.kind === 'health') inBackground(health.reload());
  });
  return (
    <Card
      title={healthTexts.title}
      actions={
        health.data &&
        may('build') && (
          <Button
            small
            onClick={() => {
              changes.value = true;
            }}
          >
            {healthTexts.change}
          </Button>
        )
      }
    >
      <Loaded resource={health}>{(data) => <Health health={data} />}</Loaded>
      {changes.value && health.data && (
        <PacingDialog
          phone={phone}
          pacing={health.data.pacing}
          onChanged={() => inBackground(health.reload())}
          onClose={() => {
            changes.value = false;
          }}
        />
      )}
    </Card>
  );
}

function Health({ health }: { health: SessionHealth }) {
  const { state, since_unix, new_chats, last_day, inbound_last_unix, days } = health;
  return (
    <>
      <Warnings health={health} />
      <div class="health">
        {new_chats && new_chats.quota > 0 && (
          <Ring label={healthTexts.quotaLabel} share={new_chats.used / new_chats.quota}>
            {new_chats.used}
            <span class="ring-note">{healthTexts.newChats}</span>
          </Ring>
        )}
        <Facts>
          <Fact name={healthTexts.since(healthStates[state])}>
            <HealthBadge state={state} />
            <span class="quiet small">
              <Ago at={since_unix} />
            </span>
          </Fact>
          <Fact name={healthTexts.newChats}>
            {new_chats ? healthTexts.newChatsOf(new_chats.used, new_chats.quota) : healthTexts.noQuota}
            {new_chats?.cycle_ends_unix !== undefined && (
              <span class="quiet small">{healthTexts.cycleEnds(formatTime(new_chats.cycle_ends_unix))}</span>
            )}
          </Fact>
          <Fact name={healthTexts.today}>
            {healthTexts.todayText(last_day.sent, last_day.new_chats)}
            {last_day.reply_rate !== undefined && (
              <span class="quiet small">{healthTexts.replies(last_day.reply_rate)}</span>
            )}
            {last_day.held_back > 0 && (
              <span class="quiet small">{healthTexts.heldBack(last_day.held_back)}</span>
            )}
          </Fact>
          <Fact name={healthTexts.lastInbound}>
            {inbound_last_unix === undefined ? healthTexts.never : <Ago at={inbound_last_unix} />}
          </Fact>
          <Fact name={healthTexts.pacing}>
            <PacingWords pacing={health.pacing} />
          </Fact>
        </Facts>
      </div>
      <HealthChart days={days} />
    </>
  );
}

function Warnings({ health: { restriction, pacing, advice } }: { health: SessionHealth }) {
  const { held_until_unix: heldUntil, held_reason: why } = pacing;
  const ends = restriction?.ends_unix;
  return (
    <>
      {restriction && (
        <Note tone="warning" icon="warning">
          {restrictionKinds[restriction.kind]}
          {ends !== undefined &&
            ` ${healthTexts.ends(formatTime(ends), formatSeconds(Math.max(ends - nowUnix(), 0)))}`}
          {restriction.type !== undefined && (
            <>
              {' '}
              <code>{restriction.type}</code>
            </>
          )}
          {restriction.code !== undefined && (
            <>
              {' '}
              <code>{restriction.code}</code>
            </>
          )}
        </Note>
      )}
      {heldUntil !== undefined && why && (
        <Note>{healthTexts.held(holdReasons[why], formatTime(heldUntil))}</Note>
      )}
      {advice.length > 0 && (
        <section class="health-advice">
          <h3>{healthTexts.advice}</h3>
          <ul>
            {advice.map(({ code, text }) => (
              <li key={code}>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function PacingWords({ pacing }: { pacing: SessionHealth['pacing'] }) {
  const { daily_new_chats: chats, gap_min_seconds: min, gap_max_seconds: max } = pacing;
  return (
    <>
      {chats > 0 ? healthTexts.limit(chats) : healthTexts.noLimit}
      {max > 0 && <span class="quiet small">{healthTexts.gaps(min, max)}</span>}
    </>
  );
}
