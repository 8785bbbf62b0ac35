import type { Account } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, type InputOf, useAction } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { visitTexts } from '../../../texts/account.ts';
import { accountsTexts, accountTexts } from '../../../texts/operator.ts';
import { Button, Card, ConfirmDialog, CopyButton, ErrorNote, Fact, Facts, toast } from '../../../ui/index.ts';
import { PartnerDialog } from './partner-dialog.tsx';
import { VisitDialog } from './visit-dialog.tsx';

type Change = InputOf<'updateAccount'>['body'];

/** An account's data and the operator's actions on it. */
export function AccountCard({
  account,
  onChanged,
}: {
  account: Account;
  onChanged: (account: Account) => void;
}) {
  const asks = useSignal<'suspend' | 'partner' | 'visit' | undefined>(undefined);
  const { account_id, email, status, tos_accepted_version, partner_limits } = account;
  const close = (): void => {
    asks.value = undefined;
  };
  async function change(body: Change, done: string): Promise<void> {
    onChanged(await call('updateAccount', { params: { account_id }, body }));
    toast(done);
  }
  const { run, busy, problem } = useAction(change);
  return (
    <Card
      title={accountTexts.title}
      actions={
        <>
          <Button small onClick={() => (asks.value = 'visit')}>
            {visitTexts.look}
          </Button>
          <Button small onClick={() => (asks.value = 'partner')}>
            {accountTexts.setPartner}
          </Button>
          <Button
            small
            busy={busy.value}
            onClick={() => inBackground(run({ accept_tos: true }, accountTexts.termsAccepted))}
          >
            {accountTexts.acceptTerms}
          </Button>
          {status === 'active' ? (
            <Button small look="danger" icon="lock" onClick={() => (asks.value = 'suspend')}>
              {accountTexts.suspend}
            </Button>
          ) : (
            <Button
              small
              look="primary"
              busy={busy.value}
              onClick={() => inBackground(run({ status: 'active' }, accountTexts.reactivated))}
            >
              {accountTexts.reactivate}
            </Button>
          )}
        </>
      }
    >
      {problem.value && <ErrorNote problem={problem.value} />}
      <Facts fit="wide">
        <Fact name={accountTexts.id}>
          <span class="row">
            <code>{account_id}</code>
            <CopyButton text={account_id} />
          </span>
        </Fact>
        <Fact name={accountsTexts.email}>{email}</Fact>
        <Fact name={accountsTexts.terms}>{tos_accepted_version ?? accountsTexts.noTerms}</Fact>
        <Fact name={accountTexts.partner}>
          {partner_limits
            ? accountTexts.partnerOf(partner_limits.per_minute, partner_limits.per_period)
            : accountTexts.noPartner}
        </Fact>
      </Facts>
      {asks.value === 'visit' && <VisitDialog accountId={account_id} onClose={close} />}
      {asks.value === 'suspend' && (
        <ConfirmDialog
          title={accountTexts.suspendTitle}
          text={accountTexts.suspendText}
          confirm={accountTexts.suspend}
          onConfirm={() => change({ status: 'suspended' }, accountTexts.suspended)}
          onClose={close}
        />
      )}
      {asks.value === 'partner' && (
        <PartnerDialog
          limits={partner_limits}
          onSave={(limits) => change({ partner_limits: limits }, accountTexts.partnerSet)}
          onClose={close}
        />
      )}
    </Card>
  );
}
