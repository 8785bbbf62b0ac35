import type { HealthState, HostedSession, Queues, RegisteredNumber, SessionStatus } from '@parley/contract';
import type { ComponentChildren } from 'preact';
import { call, useResource, wholeList } from '../../api/index.ts';
import { nav } from '../../texts/common.ts';
import { healthStates, sessionStates } from '../../texts/labels.ts';
import { overviewTexts } from '../../texts/operator.ts';
import { Ago, Card, Fact, Facts, formatNumber, Loaded, PageHead, Skeleton } from '../../ui/index.ts';
import { AuditCard } from './audit-card.tsx';
import './operator.css';

const QUEUES_EVERY_MS = 5_000;
const WHOLE_EVERY_MS = 20_000;
const STATES = [
  'connected',
  'reconnecting',
  'offline',
  'logged_out',
] as const satisfies readonly SessionStatus[];

export default function OverviewPage() {
  const queues = useResource(() => call('getQueues'), [], { everyMs: QUEUES_EVERY_MS });
  const whole = useResource(loadOverview, [], { everyMs: WHOLE_EVERY_MS });
  return (
    <>
      <PageHead title={nav.overview} lead={overviewTexts.lead} />
      <div class="stack stack-loose">
        <Loaded resource={whole} skeleton={<Skeleton tall lines={1} />}>
          {(data) => <Tiles whole={data} />}
        </Loaded>
        <div class="overview-cards">
          <Card title={overviewTexts.queues}>
            <Loaded resource={queues}>{(data) => <QueueFacts queues={data} />}</Loaded>
          </Card>
          <Card title={overviewTexts.standing}>
            <Loaded resource={whole}>{({ devices }) => <HealthCounts devices={devices} />}</Loaded>
          </Card>
          <Card title={overviewTexts.states}>
            <Loaded resource={whole}>{({ sessions }) => <States sessions={sessions} />}</Loaded>
          </Card>
        </div>
        <AuditCard />
      </div>
    </>
  );
}

async function loadOverview() {
  const [{ accounts }, { devices }, { sessions }, { workers }] = await Promise.all([
    wholeList((page) => call('listAccounts', { query: page })),
    wholeList((page) => call('listNumbersOfAll', { query: page })),
    wholeList((page) => call('listHostedSessions', { query: page })),
    call('listWorkers'),
  ]);
  return { accounts, devices, sessions, workers };
}

type Overview = Awaited<ReturnType<typeof loadOverview>>;

function Tiles({ whole: { accounts, devices, sessions, workers } }: { whole: Overview }) {
  const suspended = accounts.filter(({ status }) => status === 'suspended').length;
  const connected = sessions.filter(({ status }) => status === 'connected').length;
  return (
    <div class="tiles">
      <Tile href="/portal/operator/accounts" name={overviewTexts.accounts} value={accounts.length}>
        {suspended > 0 && overviewTexts.suspended(suspended)}
      </Tile>
      <Tile href="/portal/operator/numbers" name={overviewTexts.numbers} value={devices.length}>
        {overviewTexts.linked(sessions.length)}
      </Tile>
      <Tile href="/portal/operator/numbers" name={overviewTexts.sessions} value={connected}>
        {overviewTexts.ofSessions(sessions.length)}
      </Tile>
      <Tile href="/portal/operator/workers" name={overviewTexts.workers} value={workers.length} />
    </div>
  );
}

function Tile({
  href,
  name,
  value,
  children,
}: {
  href: string;
  name: string;
  value: number;
  children?: ComponentChildren;
}) {
  return (
    <a class="tile" href={href}>
      <span class="tile-name">{name}</span>
      <span class="tile-value">{formatNumber(value)}</span>
      <span class="tile-note">{children}</span>
    </a>
  );
}

function QueueFacts({ queues: { outbox, deliveries } }: { queues: Queues }) {
  return (
    <Facts>
      <Fact name={overviewTexts.outbox}>
        <Depth value={outbox.waiting} oldestAt={outbox.oldest_at} />
      </Fact>
      <Fact name={overviewTexts.deliveries}>
        <Depth value={deliveries.pending} oldestAt={deliveries.oldest_at} />
      </Fact>
      <Fact name={overviewTexts.paused}>
        <span class="figure">{formatNumber(deliveries.paused)}</span>
        {deliveries.paused > 0 && <span class="figure-note">{overviewTexts.pausedHint}</span>}
      </Fact>
      <Fact name={overviewTexts.dead}>
        <span class={deliveries.dead > 0 ? 'figure figure-bad' : 'figure'}>
          {formatNumber(deliveries.dead)}
        </span>
        {deliveries.dead > 0 && (
          <a class="figure-note" href="/portal/operator/dead-letters">
            {overviewTexts.toDead}
          </a>
        )}
      </Fact>
    </Facts>
  );
}

function Depth({ value, oldestAt }: { value: number; oldestAt: string | null }) {
  return (
    <>
      <span class="figure">{formatNumber(value)}</span>
      <span class="figure-note">
        {oldestAt === null ? (
          overviewTexts.nothingWaits
        ) : (
          <>
            {overviewTexts.oldest} <Ago at={oldestAt} />
          </>
        )}
      </span>
    </>
  );
}

function States({ sessions }: { sessions: readonly HostedSession[] }) {
  if (sessions.length === 0) return <p class="quiet">{overviewTexts.noSessions}</p>;
  return (
    <dl class="states">
      {STATES.map((state) => {
        const count = sessions.filter(({ status }) => status === state).length;
        return (
          <div key={state}>
            <dt>{sessionStates[state]}</dt>
            <dd>{formatNumber(count)}</dd>
            <dd class="states-share" aria-hidden="true">
              <span class={`states-${state}`} style={{ width: `${(count / sessions.length) * 100}%` }} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const TROUBLED = ['banned', 'restricted', 'watch'] as const satisfies readonly HealthState[];

/** Counts of unhealthy numbers, each linked to the list of them. */
function HealthCounts({ devices }: { devices: readonly RegisteredNumber[] }) {
  return (
    <Facts>
      {TROUBLED.map((state) => {
        const count = devices.filter(({ health }) => health?.state === state).length;
        return (
          <Fact key={state} name={healthStates[state]}>
            <span class={count > 0 && state !== 'watch' ? 'figure figure-bad' : 'figure'}>
              {formatNumber(count)}
            </span>
            {count > 0 && (
              <a class="figure-note" href={`/portal/operator/numbers?health=${state}`}>
                {overviewTexts.toNumbers}
              </a>
            )}
          </Fact>
        );
      })}
    </Facts>
  );
}
