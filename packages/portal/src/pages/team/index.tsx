import type { Member, Team } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { loadVisit, may, me } from '../../state/visit.ts';
import { nav } from '../../texts/common.ts';
import { roleLabels } from '../../texts/labels.ts';
import { teamTexts } from '../../texts/team.ts';
import {
  Ago,
  Badge,
  Button,
  Card,
  type Column,
  ConfirmDialog,
  ErrorNote,
  Loaded,
  PageHead,
  Table,
  toast,
} from '../../ui/index.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';

type Asked = 'invite' | 'leave' | { readonly change: Member } | { readonly remove: Member };

/** Members and invitations of the account. */
export default function TeamPage() {
  const team = useResource(() => call('getTeam'), []);
  const asked = useSignal<Asked | undefined>(undefined);
  const ask = (what: Asked): void => {
    asked.value = what;
  };
  const close = (): void => {
    asked.value = undefined;
    inBackground(team.reload());
  };
  return (
    <>
      <PageHead title={nav.team} lead={teamTexts.lead}>
        {may('administer') && (
          <Button look="primary" icon="plus" onClick={() => ask('invite')}>
            {teamTexts.invite}
          </Button>
        )}
      </PageHead>
      <Loaded resource={team}>
        {(data) => (
          <div class="stack stack-loose">
            <Card title={teamTexts.members} flush>
              <Table
                label={teamTexts.members}
                rows={data.members}
                columns={memberColumns(ask)}
                keyOf={({ member_id }) => member_id}
              />
            </Card>
            {data.invitations.length > 0 && (
              <InvitationsCard invitations={data.invitations} onChanged={team.reload} />
            )}
            <div class="row">
              <Button look="danger" onClick={() => ask('leave')}>
                {teamTexts.leave}
              </Button>
            </div>
          </div>
        )}
      </Loaded>
      {asked.value && <Asking asked={asked.value} onClose={close} />}
    </>
  );
}

function Asking({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  if (asked === 'invite') return <InviteDialog onClose={onClose} />;
  if (asked === 'leave') {
    return (
      <ConfirmDialog
        title={teamTexts.leave}
        text={teamTexts.leaveText}
        confirm={teamTexts.leave}
        onConfirm={async () => {
          await call('leaveAccount');
          await loadVisit();
        }}
        onClose={onClose}
      />
    );
  }
  if ('change' in asked) return <RoleDialog member={asked.change} onClose={onClose} />;
  const { name, member_id } = asked.remove;
  return (
    <ConfirmDialog
      title={teamTexts.removeTitle(name)}
      text={teamTexts.removeText}
      confirm={teamTexts.remove}
      onConfirm={async () => {
        await call('removeMember', { params: { member_id } });
        toast(teamTexts.removed(name));
      }}
      onClose={onClose}
    />
  );
}

function memberColumns(ask: (what: Asked) => void): readonly Column<Member>[] {
  const actions: Column<Member> = {
    title: teamTexts.actions,
    cell: (member) =>
      member.member_id !== me.value?.member_id && (
        <span class="row">
          <Button small onClick={() => ask({ change: member })}>
            {teamTexts.change}
          </Button>
          <Button small look="danger" onClick={() => ask({ remove: member })}>
            {teamTexts.remove}
          </Button>
        </span>
      ),
    share: 1.8,
    atEnd: true,
  };
  return [
    {
      title: teamTexts.name,
      cell: ({ name, member_id }) => (
        <>
          {name} {member_id === me.value?.member_id && <Badge tone="accent">{teamTexts.you}</Badge>}
        </>
      ),
      share: 1.6,
    },
    { title: teamTexts.email, cell: ({ email }) => email, share: 2, secondary: true },
    { title: teamTexts.role, cell: ({ role }) => roleLabels[role], share: 1 },
    { title: teamTexts.joined, cell: ({ joined_at }) => <Ago at={joined_at} />, share: 1, secondary: true },
    ...(may('administer') ? [actions] : []),
  ];
}

type Invitation = Team['invitations'][number];

function InvitationsCard({
  invitations,
  onChanged,
}: {
  invitations: readonly Invitation[];
  onChanged: () => Promise<void>;
}) {
  const { run, busy, problem } = useAction(async ({ invitation_id }: Invitation) => {
    await call('revokeInvitation', { params: { invitation_id } });
    toast(teamTexts.revoked);
    await onChanged();
  });
  const columns: readonly Column<Invitation>[] = [
    { title: teamTexts.email, cell: ({ email }) => email, share: 2 },
    { title: teamTexts.role, cell: ({ role }) => roleLabels[role], share: 1, secondary: true },
    ...(may('administer')
      ? [
          {
            title: teamTexts.actions,
            cell: (invitation: Invitation) => (
              <Button small busy={busy.value} onClick={() => inBackground(run(invitation))}>
                {teamTexts.revoke}
              </Button>
            ),
            share: 1,
            atEnd: true,
          },
        ]
      : []),
  ];
  return (
    <Card title={teamTexts.invitations} flush>
      {problem.value && <ErrorNote problem={problem.value} />}
      <Table
        label={teamTexts.invitations}
        rows={invitations}
        columns={columns}
        keyOf={({ invitation_id }) => invitation_id}
      />
    </Card>
  );
}
