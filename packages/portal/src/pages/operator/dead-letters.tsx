import { type Account, DELIVERIES_PAGE_DEFAULT, type DeadLetter } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction, usePages } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { nav, words } from '../../texts/common.ts';
import { deliveryTexts, logTexts } from '../../texts/deliveries.ts';
import { deadTexts } from '../../texts/operator.ts';
import {
  Actions,
  Ago,
  Button,
  Card,
  CodePanel,
  type Column,
  Dialog,
  Empty,
  ErrorNote,
  Fact,
  Facts,
  formatPhone,
  formatTime,
  PageHead,
  Skeleton,
  Table,
  toast,
} from '../../ui/index.ts';
import { nameOfKind, summarizeAttempt } from '../webhooks/delivery.ts';
import { addressOfAccount, nameOfAccount, useAccounts } from './directory.ts';
import './operator.css';

const keyOf = ({ delivery_id }: DeadLetter): string => delivery_id;

export default function DeadLettersPage() {
  const accounts = useAccounts();
  const opened = useSignal<DeadLetter | undefined>(undefined);
  const deadLetters = usePages<DeadLetter>(
    {
      load: async (last) => {
        const query = { ...(last && { before: last.delivery_id }), limit: DELIVERIES_PAGE_DEFAULT };
        return (await call('listDeadLetters', { query })).dead_letters;
      },
      keyOf,
      pageSize: DELIVERIES_PAGE_DEFAULT,
    },
    [],
  );
  return (
    <>
      <PageHead title={nav.deadLetters} lead={deadTexts.lead} />
      {deadLetters.problem && (
        <ErrorNote problem={deadLetters.problem} retry={() => inBackground(deadLetters.reload())} />
      )}
      {!deadLetters.items && !deadLetters.problem && <Skeleton />}
      {deadLetters.items?.length === 0 && (
        <Empty icon="check" title={logTexts.deadTitle}>
          {deadTexts.emptyText}
        </Empty>
      )}
      {deadLetters.items && deadLetters.items.length > 0 && (
        <Card flush>
          <Table
            label={nav.deadLetters}
            columns={columnsFor(accounts.data)}
            rows={deadLetters.items}
            keyOf={keyOf}
            onOpen={(deadLetter) => (opened.value = deadLetter)}
            onEnd={() => inBackground(deadLetters.more())}
          />
        </Card>
      )}
      {opened.value && (
        <DeadLetterDialog
          deadLetter={opened.value}
          accountName={nameOfAccount(accounts.data, opened.value.account_id)}
          onRedelivered={() => inBackground(deadLetters.reload())}
          onClose={() => (opened.value = undefined)}
        />
      )}
    </>
  );
}

const columnsFor = (accounts: readonly Account[] | undefined): readonly Column<DeadLetter>[] => [
  { title: logTexts.event, cell: ({ kind }) => nameOfKind(kind), share: 1.2 },
  {
    title: deadTexts.account,
    cell: ({ account_id }) => nameOfAccount(accounts, account_id),
    share: 1.5,
  },
  { title: deadTexts.phone, cell: ({ phone }) => formatPhone(phone), share: 1.5, secondary: true },
  {
    title: logTexts.answer,
    cell: ({ attempts }) => {
      const last = attempts.at(-1);
      return last ? summarizeAttempt(last) : '–';
    },
    share: 1.5,
    secondary: true,
  },
  { title: deadTexts.queued, cell: ({ queued_at }) => <Ago at={queued_at} />, atEnd: true, share: 1.2 },
];

function DeadLetterDialog({
  deadLetter,
  accountName,
  onRedelivered,
  onClose,
}: {
  deadLetter: DeadLetter;
  accountName: string;
  onRedelivered: () => void;
  onClose: () => void;
}) {
  const { delivery_id, account_id, kind, phone, url, attempts, queued_at, event } = deadLetter;
  const { run, busy, problem } = useAction(async () => {
    await call('redeliverDeadLetter', { params: { delivery_id } });
    toast(deliveryTexts.redelivered);
    onRedelivered();
    onClose();
  });
  const last = attempts.at(-1);
  return (
    <Dialog title={nameOfKind(kind)} onClose={onClose} wide>
      <Facts>
        <Fact name={deadTexts.account}>
          <a href={addressOfAccount(account_id)}>{accountName}</a>
        </Fact>
        <Fact name={deadTexts.phone}>{formatPhone(phone)}</Fact>
        <Fact name={deadTexts.queued}>{formatTime(queued_at)}</Fact>
        <Fact name={logTexts.attempts}>{attempts.length}</Fact>
        {last && <Fact name={logTexts.answer}>{summarizeAttempt(last)}</Fact>}
        <Fact name={deadTexts.url}>{url}</Fact>
      </Facts>
      <CodePanel title={deliveryTexts.payload} code={JSON.stringify(event, null, 2)} />
      {problem.value && <ErrorNote problem={problem.value} />}
      <Actions>
        <Button onClick={onClose}>{words.close}</Button>
        <Button look="primary" icon="refresh" busy={busy.value} onClick={() => inBackground(run())}>
          {deliveryTexts.redeliver}
        </Button>
      </Actions>
    </Dialog>
  );
}
