import { type Account, DELIVERIES_PAGE_DEFAULT, type QuarantineEntry } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction, usePages } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { words } from '../../../texts/common.ts';
import { troubleTexts } from '../../../texts/oversight.ts';
import {
  Ago,
  Button,
  Card,
  type Column,
  ConfirmDialog,
  ErrorNote,
  formatNumber,
  formatPhone,
  Note,
  Skeleton,
  Table,
  toast,
} from '../../../ui/index.ts';
import { addressOfAccount, nameOfAccount } from '../directory.ts';

const keyOf = ({ quarantine_id }: QuarantineEntry): string => quarantine_id;

/** Network events that could not be stored: kind and reason, without contents. */
export function QuarantineCard({ accounts }: { accounts: readonly Account[] | undefined }) {
  const asked = useSignal<QuarantineEntry | undefined>(undefined);
  const refusal = useSignal<string | undefined>(undefined);
  const log = usePages<QuarantineEntry>(
    {
      load: async (last) => {
        const query = { ...(last && { before: last.quarantine_id }), limit: DELIVERIES_PAGE_DEFAULT };
        return (await call('listQuarantine', { query })).entries;
      },
      keyOf,
      pageSize: DELIVERIES_PAGE_DEFAULT,
    },
    [],
  );
  const retrying = useAction(async ({ quarantine_id }: QuarantineEntry) => {
    const { stored, reason } = await call('retryQuarantined', { params: { quarantine_id } });
    refusal.value = stored ? undefined : troubleTexts.notStored(reason ?? '');
    if (stored) toast(troubleTexts.stored);
    await log.reload();
  });
  const columns: readonly Column<QuarantineEntry>[] = [
    { title: troubleTexts.kind, cell: ({ kind }) => kind, share: 1 },
    {
      title: troubleTexts.account,
      cell: ({ account_id }) => (
        <a href={addressOfAccount(account_id)}>{nameOfAccount(accounts, account_id)}</a>
      ),
      share: 1.4,
    },
    {
      title: troubleTexts.number,
      cell: ({ phone }) => (phone === null ? '–' : formatPhone(phone)),
      share: 1.3,
      secondary: true,
    },
    {
      title: troubleTexts.reason,
      cell: ({ reason, size }) => `${reason} (${troubleTexts.bytes(formatNumber(size))})`,
      share: 2.4,
      secondary: true,
    },
    {
      title: troubleTexts.since,
      cell: ({ quarantined_at }) => <Ago at={quarantined_at} />,
      share: 1,
      secondary: true,
    },
    {
      title: troubleTexts.actions,
      cell: (entry) => (
        <span class="row-actions">
          <Button small busy={retrying.busy.value} onClick={() => inBackground(retrying.run(entry))}>
            {words.retry}
          </Button>
          <Button small look="danger" onClick={() => (asked.value = entry)}>
            {troubleTexts.drop}
          </Button>
        </span>
      ),
      share: 1.7,
      atEnd: true,
    },
  ];
  return (
    <Card flush title={troubleTexts.quarantine}>
      {log.problem && <ErrorNote problem={log.problem} retry={() => inBackground(log.reload())} />}
      {retrying.problem.value && <ErrorNote problem={retrying.problem.value} />}
      {refusal.value && (
        <Note tone="warning" icon="warning">
          {refusal.value}
        </Note>
      )}
      {!log.items && !log.problem && <Skeleton />}
      {log.items?.length === 0 && <p class="card-note quiet">{troubleTexts.noneQuarantined}</p>}
      {log.items && log.items.length > 0 && (
        <Table
          label={troubleTexts.quarantine}
          columns={columns}
          rows={log.items}
          keyOf={keyOf}
          onEnd={() => inBackground(log.more())}
        />
      )}
      {asked.value && (
        <ConfirmDialog
          title={troubleTexts.dropTitle}
          text={troubleTexts.dropText}
          confirm={troubleTexts.drop}
          onConfirm={async () => {
            await call('dropQuarantined', { params: { quarantine_id: asked.value?.quarantine_id ?? '' } });
            toast(troubleTexts.dropped);
            await log.reload();
          }}
          onClose={() => (asked.value = undefined)}
        />
      )}
    </Card>
  );
}
