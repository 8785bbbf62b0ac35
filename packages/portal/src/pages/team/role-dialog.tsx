import type { Member, MemberRole } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { teamTexts } from '../../texts/team.ts';
import { FormDialog, toast } from '../../ui/index.ts';
import { RoleField } from './role-field.tsx';

export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const role = useSignal<MemberRole>(member.role);
  const { member_id, name } = member;
  return (
    <FormDialog
      title={teamTexts.changeTitle(name)}
      submit={words.save}
      onSubmit={async () => {
        await call('changeMember', { params: { member_id }, body: { role: role.value } });
        toast(teamTexts.changed);
      }}
      onClose={onClose}
    >
      <RoleField role={role.value} onChange={(value) => (role.value = value)} />
    </FormDialog>
  );
}
