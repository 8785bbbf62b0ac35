import { type AuditLog, DELIVERIES_PAGE_DEFAULT } from '@parley/contract';
import { useEffect } from 'preact/hooks';
import { call, usePages } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { everyWhileVisible } from '../../kernel/clock.ts';
import { auditTexts } from '../../texts/operator.ts';
import {
  Ago,
  Card,
  type Column,
  ErrorNote,
  formatDetail,
  formatPhone,
  Skeleton,
  Table,
} from '../../ui/index.ts';
import { addressOfAccount } from './directory.ts';

const POLL_MS = 5_000;
type Entry = AuditLog['entries'][number];
const keyOf = ({ entry_id }: Entry): string => entry_id;

const columnsFor = (leadsOn: boolean): readonly Column<Entry>[] => [
  {
    title: auditTexts.action,
    cell: ({ action }) => auditTexts.actions[action] ?? <code>{action}</code>,
    share: 2.1,
  },
  { title: auditTexts.actor, cell: nameOfActor, share: 1.6, secondary: true },
  {
    title: auditTexts.subject,
    cell: (entry) => <Subject of={entry} leadsOn={leadsOn} />,
    share: 1.9,
    secondary: true,
  },
  {
    title: auditTexts.detail,
    cell: ({ detail }) => {
      const { [nameIn(detail) ?? '']: _name, ...rest } = detail;
      return (
        <span class="quiet" title={formatDetail(rest)}>
          {formatDetail(rest)}
        </span>
      );
    },
    share: 1.9,
    secondary: true,
  },
  { title: auditTexts.when, cell: ({ at }) => <Ago at={at} />, share: 1.5, atEnd: true },
];

interface AuditQuery {
  readonly before?: string;
  readonly limit: number;
}

const ofAll = async (query: AuditQuery): Promise<readonly Entry[]> =>
  (await call('listAuditLog', { query })).entries;

/** Audit log, newest first: of all accounts, unless another log is given. */
export function AuditCard({
  load = ofAll,
  of = '',
  leadsOn = true,
}: {
  load?: (query: AuditQuery) => Promise<readonly Entry[]>;
  /** Identity of the log; a change reloads it. */
  of?: string;
  /** Links to the accounts' pages, which only the operator has. */
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
  // A reload would lose the scroll position in older pages.
  const isAtStart = (log.items?.length ?? 0) <= DELIVERIES_PAGE_DEFAULT;
  useEffect(
    () => (isAtStart ? everyWhileVisible(POLL_MS, () => inBackground(log.reload())) : undefined),
    [log.reload, isAtStart],
  );
  return (
    <Card flush title={auditTexts.title}>
      {log.problem && <ErrorNote problem={log.problem} retry={() => inBackground(log.reload())} />}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && <p class="card-note quiet">{auditTexts.empty}</p>}
      {log.items && log.items.length > 0 && (
        <Table
          label={auditTexts.title}
          columns={columnsFor(leadsOn)}
          rows={log.items}
          keyOf={keyOf}
          onEnd={() => inBackground(log.more())}
        />
      )}
    </Card>
  );
}

/** Archives have no subject but the account. */
const ARCHIVE = 'exp_';

/** Fields that name a subject, most specific first. */
const NAMES = ['name', 'number', 'phone', 'email'] as const;

function nameIn(detail: Entry['detail']): (typeof NAMES)[number] | undefined {
  return NAMES.find((name) => typeof detail[name] === 'string');
}

/** Changed thing by its name, if it has one, with its id as a tooltip. */
function Subject({
  of: { subject, account_id: accountId, detail },
  leadsOn,
}: {
  of: Entry;
  leadsOn: boolean;
}) {
  if (accountId === null) return <>{auditTexts.everyAccount}</>;
  const name = nameIn(detail);
  const nameText = name && String(detail[name]);
  const shown = nameText ? (
    <span title={subject}>{name === 'phone' ? formatPhone(nameText) : nameText}</span>
  ) : (subject === accountId && !leadsOn) || subject.startsWith(ARCHIVE) ? (
    <span title={subject}>{auditTexts.wholeAccount}</span>
  ) : (
    <code title={subject}>{subject}</code>
  );
  return leadsOn ? <a href={addressOfAccount(accountId)}>{shown}</a> : shown;
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
