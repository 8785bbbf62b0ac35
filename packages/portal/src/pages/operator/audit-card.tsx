import { type AuditLog, DELIVERIES_PAGE_DEFAULT } from '@parley/contract';
import { useEffect } from 'preact/hooks';
import { call, usePages } from '../../api/index.ts';
import { everyWhileVisible } from '../../kernel/clock.ts';
import { auditTexts } from '../../texts/operator.ts';
import { Ago, Card, type Column, ErrorNote, formatDetail, Skeleton, Table } from '../../ui/index.ts';
import { addressOfAccount } from './directory.ts';

const LOOK_EVERY_MS = 5_000;
type Entry = AuditLog['entries'][number];
const keyOf = ({ entry_id }: Entry): string => entry_id;

const columnsFor = (leadsOn: boolean): readonly Column<Entry>[] => [
  {
    title: auditTexts.action,
    cell: ({ action }) => auditTexts.actions[action] ?? <code>{action}</code>,
    share: 1.6,
  },
  { title: auditTexts.actor, cell: nameOfActor, share: 1.4, secondary: true },
  {
    title: auditTexts.subject,
    cell: ({ subject, account_id }) =>
      account_id === null ? (
        auditTexts.everyAccount
      ) : leadsOn ? (
        <a href={addressOfAccount(account_id)}>
          <code>{subject}</code>
        </a>
      ) : (
        <code>{subject}</code>
      ),
    share: 2.1,
    secondary: true,
  },
  {
    title: auditTexts.detail,
    cell: ({ detail }) => (
      <span class="quiet" title={formatDetail(detail)}>
        {formatDetail(detail)}
      </span>
    ),
    share: 2.2,
    secondary: true,
  },
  { title: auditTexts.when, cell: ({ at }) => <Ago at={at} />, share: 1.6, atEnd: true },
];

interface AuditQuery {
  readonly before?: string;
  readonly limit: number;
}

const ofAll = async (query: AuditQuery): Promise<readonly Entry[]> =>
  (await call('listAuditLog', { query })).entries;

/** Who changed what, newest first: everywhere, unless another log is given. */
export function AuditCard({
  load = ofAll,
  of = '',
  leadsOn = true,
}: {
  load?: (query: AuditQuery) => Promise<readonly Entry[]>;
  /** Tells one log from another. */
  of?: string;
  /** To the pages of the accounts concerned, which are the operator's. */
  leadsOn?: boolean;
}) {
  const log = usePages<Entry>(
    {
      load: async (last) => [
        ...(await load({ ...(last && { before: last.entry_id }), limit: DELIVERIES_PAGE_DEFAULT })),
      ],
      keyOf,
      pageSize: DELIVERIES_PAGE_DEFAULT,
    },
    [of],
  );
  // Whoever has scrolled into the past is not torn back to the present.
  const isAtStart = (log.items?.length ?? 0) <= DELIVERIES_PAGE_DEFAULT;
  useEffect(
    () => (isAtStart ? everyWhileVisible(LOOK_EVERY_MS, () => void log.reload()) : undefined),
    [log.reload, isAtStart],
  );
  return (
    <Card flush title={auditTexts.title}>
      {log.problem && <ErrorNote problem={log.problem} retry={() => void log.reload()} />}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && <p class="card-note quiet">{auditTexts.nobody}</p>}
      {log.items && log.items.length > 0 && (
        <Table
          label={auditTexts.title}
          columns={columnsFor(leadsOn)}
          rows={log.items}
          keyOf={keyOf}
          onEnd={() => void log.more()}
        />
      )}
    </Card>
  );
}

const ACTORS: Readonly<Record<string, string>> = {
  operator: auditTexts.operator,
  system: auditTexts.system,
  member: auditTexts.member,
  key: auditTexts.key,
};

function nameOfActor({ actor, actor_name: name }: Entry) {
  if (name !== null) return <span title={actor}>{name}</span>;
  const [kind = actor] = actor.split(':');
  return ACTORS[kind] ?? actor;
}
