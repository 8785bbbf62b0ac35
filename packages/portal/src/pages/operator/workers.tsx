import type { HostedSession, Worker } from '@parley/contract';
import { call, useResource, wholeList } from '../../api/index.ts';
import { now } from '../../kernel/clock.ts';
import { nav } from '../../texts/common.ts';
import { workersTexts } from '../../texts/operator.ts';
import {
  Ago,
  Badge,
  Card,
  type Column,
  dateOf,
  Empty,
  Fact,
  Facts,
  Loaded,
  PageHead,
  Table,
} from '../../ui/index.ts';
import { SessionBadge } from '../numbers/status-badge.tsx';
import './operator.css';

const POLL_MS = 5_000;
/** A live worker renews its lease many times in this span; a silent one has died or hangs. */
const SILENT_MS = 30_000;

const COLUMNS: readonly Column<HostedSession>[] = [
  { title: workersTexts.session, cell: ({ session_id }) => <code>{session_id}</code>, share: 2.5 },
  { title: workersTexts.status, cell: ({ status }) => <SessionBadge state={status} />, share: 1.3 },
  { title: workersTexts.since, cell: ({ since }) => <Ago at={since} />, atEnd: true, secondary: true },
];

export default function WorkersPage() {
  const all = useResource(
    async () => {
      const [{ workers }, { sessions }] = await Promise.all([
        call('listWorkers'),
        wholeList((page) => call('listHostedSessions', { query: page })),
      ]);
      return { workers, sessions };
    },
    [],
    { everyMs: POLL_MS },
  );
  return (
    <>
      <PageHead title={nav.workers} lead={workersTexts.lead} />
      <Loaded resource={all}>
        {({ workers, sessions }) => <Workers workers={workers} sessions={sessions} />}
      </Loaded>
    </>
  );
}

function Workers({ workers, sessions }: { workers: readonly Worker[]; sessions: readonly HostedSession[] }) {
  const byWorker = Map.groupBy(sessions, ({ worker }) => worker);
  const known = new Set<string | null>(workers.map(({ worker }) => worker));
  const unhosted = sessions.filter(({ worker }) => !known.has(worker));
  return (
    <div class="stack stack-loose">
      {workers.length === 0 && (
        <Empty icon="server" title={workersTexts.emptyTitle}>
          {workersTexts.emptyText}
        </Empty>
      )}
      {workers.map((worker) => (
        <WorkerCard key={worker.worker} worker={worker} sessions={byWorker.get(worker.worker) ?? []} />
      ))}
      {unhosted.length > 0 && (
        <Card flush title={workersTexts.unhosted}>
          <p class="card-note quiet">{workersTexts.unhostedText}</p>
          <Sessions label={workersTexts.unhosted} sessions={unhosted} />
        </Card>
      )}
    </div>
  );
}

function WorkerCard({ worker, sessions }: { worker: Worker; sessions: readonly HostedSession[] }) {
  const isAlive = now() - dateOf(worker.last_seen).getTime() < SILENT_MS;
  return (
    <Card
      flush
      title={<code>{worker.worker}</code>}
      actions={
        <>
          <Badge tone="info">{workersTexts.sessions(worker.sessions)}</Badge>
          <Badge tone={isAlive ? 'good' : 'bad'} dot>
            {isAlive ? workersTexts.alive : workersTexts.silent}
          </Badge>
        </>
      }
    >
      <div class="card-note">
        <Facts>
          <Fact name={workersTexts.started}>
            <Ago at={worker.started_at} />
          </Fact>
          <Fact name={workersTexts.lastSeen}>
            <Ago at={worker.last_seen} />
          </Fact>
        </Facts>
      </div>
      {sessions.length === 0 ? (
        <p class="card-note quiet">{workersTexts.nothing}</p>
      ) : (
        <Sessions label={`${workersTexts.hosted}: ${worker.worker}`} sessions={sessions} />
      )}
    </Card>
  );
}

function Sessions({ label, sessions }: { label: string; sessions: readonly HostedSession[] }) {
  return <Table label={label} columns={COLUMNS} rows={sessions} keyOf={({ session_id }) => session_id} />;
}
