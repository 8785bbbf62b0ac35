import type { MemberRole } from '@parley/contract';
import { choicesOf, roleLabels } from '../../texts/labels.ts';
import { teamTexts } from '../../texts/team.ts';
import { SelectField } from '../../ui/index.ts';

/** A role, and what it means. */
export function RoleField({ role, onChange }: { role: MemberRole; onChange: (role: MemberRole) => void }) {
  return (
    <SelectField
      label={teamTexts.role}
      hint={teamTexts.rights[role]}
      value={role}
      choices={choicesOf(roleLabels)}
      onChange={onChange}
    />
  );
}
