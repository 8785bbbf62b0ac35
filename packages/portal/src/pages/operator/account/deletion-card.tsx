import { useSignal } from '@preact/signals';
import { call, useAction, useResource, wholeList } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { deletionTexts } from '../../../texts/account.ts';
import { Button, Card, ConfirmDialog, ErrorNote, formatTime, Loaded, toast } from '../../../ui/index.ts';

/** State of the account's deletion and the operator's actions on it. */
export function DeletionCard({ accountId }: { accountId: string }) {
  const asks = useSignal<'ask' | 'hasten' | undefined>(undefined);
  const deletion = useResource(
    async () =>
      (await wholeList((page) => call('listAccountDeletions', { query: page }))).deletions.find(
        ({ account_id }) => account_id === accountId,
      ) ?? null,
    [accountId],
  );
  const keep = useAction(async () => {
    await call('cancelAccountDeletion', { params: { account_id: accountId } });
    toast(deletionTexts.kept);
    await deletion.reload();
  });
  async function remove(now: boolean): Promise<void> {
    await call('deleteAccount', { params: { account_id: accountId }, ...(now && { query: { now } }) });
    toast(deletionTexts.asked);
    await deletion.reload();
  }
  return (
    <Card
      title={deletionTexts.card}
      actions={
        deletion.data === null ? (
          <Button small look="danger" onClick={() => (asks.value = 'ask')}>
            {deletionTexts.ask}
          </Button>
        ) : (
          <>
            <Button small look="danger" onClick={() => (asks.value = 'hasten')}>
              {deletionTexts.hasten}
            </Button>
            <Button small busy={keep.busy.value} onClick={() => inBackground(keep.run())}>
              {deletionTexts.keep}
            </Button>
          </>
        )
      }
    >
      {keep.problem.value && <ErrorNote problem={keep.problem.value} />}
      <Loaded resource={deletion}>
        {(data) => (
          <p>{data ? deletionTexts.operatorPending(formatTime(data.due_at)) : deletionTexts.operatorNone}</p>
        )}
      </Loaded>
      {asks.value && (
        <ConfirmDialog
          title={deletionTexts.operatorTitle}
          text={asks.value === 'hasten' ? deletionTexts.hastenText : deletionTexts.operatorText}
          confirm={asks.value === 'hasten' ? deletionTexts.hasten : deletionTexts.ask}
          onConfirm={() => remove(asks.value === 'hasten')}
          onClose={() => (asks.value = undefined)}
        />
      )}
    </Card>
  );
}
