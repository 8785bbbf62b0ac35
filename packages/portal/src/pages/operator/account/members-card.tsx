import type { Member, PasswordLink } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction, useResource } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { words } from '../../../texts/common.ts';
import { roleLabels } from '../../../texts/labels.ts';
import { membersTexts } from '../../../texts/operator.ts';
import {
  Actions,
  Badge,
  Button,
  Card,
  type Column,
  ConfirmDialog,
  Dialog,
  ErrorNote,
  Loaded,
  SecretPanel,
  Table,
  toast,
} from '../../../ui/index.ts';

const keyOf = ({ member_id }: Member): string => member_id;

/** Members of an account, with the operator's means to restore their access. */
export function MembersCard({ accountId }: { accountId: string }) {
  const params = { account_id: accountId };
  const members = useResource(() => call('listMembers', { params }), [accountId]);
  const link = useSignal<PasswordLink | undefined>(undefined);
  const unguarded = useSignal<Member | undefined>(undefined);
  const { run, busy, problem } = useAction(async ({ email }: Member) => {
    link.value = await call('resetPassword', { params, body: { email } });
  });
  const columns: readonly Column<Member>[] = [
    { title: membersTexts.email, cell: ({ email }) => email, share: 2 },
    { title: membersTexts.name, cell: ({ name }) => name, share: 1.4, secondary: true },
    { title: membersTexts.role, cell: ({ role }) => roleLabels[role], share: 1, secondary: true },
    {
      title: membersTexts.signsInBy,
      cell: (member) => <SignsInBy member={member} onReset={() => (unguarded.value = member)} />,
      share: 2.6,
      secondary: true,
    },
    {
      title: membersTexts.actions,
      cell: (member) => (
        <Button small busy={busy.value} onClick={() => inBackground(run(member))}>
          {membersTexts.resetPassword}
        </Button>
      ),
      share: 1.6,
      atEnd: true,
    },
  ];
  return (
    <Card title={membersTexts.title} flush>
      {problem.value && <ErrorNote problem={problem.value} />}
      <Loaded resource={members}>
        {(data) => <Table label={membersTexts.title} rows={data.members} columns={columns} keyOf={keyOf} />}
      </Loaded>
      {unguarded.value && (
        <ConfirmDialog
          title={membersTexts.resetTwoFactorTitle}
          text={membersTexts.resetTwoFactorText(unguarded.value.email)}
          confirm={membersTexts.resetTwoFactor}
          onConfirm={async () => {
            const { member_id = '' } = unguarded.value ?? {};
            await call('resetTwoFactor', { params: { ...params, member_id } });
            toast(membersTexts.twoFactorReset);
            await members.reload();
          }}
          onClose={() => (unguarded.value = undefined)}
        />
      )}
      {link.value && <LinkShown link={link.value} onClose={() => (link.value = undefined)} />}
    </Card>
  );
}

function SignsInBy({ member, onReset }: { member: Member; onReset: () => void }) {
  if (!member.has_password) return <Badge tone="waiting">{membersTexts.noPassword}</Badge>;
  if (!member.two_factor) return membersTexts.password;
  return (
    <span class="row">
      {membersTexts.twoFactor}
      <Button small look="quiet" onClick={onReset}>
        {membersTexts.resetTwoFactor}
      </Button>
    </span>
  );
}

function LinkShown({ link, onClose }: { link: PasswordLink; onClose: () => void }) {
  return (
    <Dialog title={membersTexts.linkTitle} onClose={onClose} wide keeps>
      <p>{membersTexts.linkText(link.email)}</p>
      <SecretPanel title={membersTexts.link} secret={link.url} />
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.copiedIt}
        </Button>
      </Actions>
    </Dialog>
  );
}
