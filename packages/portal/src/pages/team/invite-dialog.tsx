import type { InvitationMade, MemberRole } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { entrance } from '../../state/visit.ts';
import { words } from '../../texts/common.ts';
import { teamTexts } from '../../texts/team.ts';
import {
  Actions,
  Button,
  Dialog,
  FormDialog,
  SecretPanel,
  SelectField,
  TextField,
  toast,
} from '../../ui/index.ts';
import { RoleField } from './role-field.tsx';

type Way = 'mail' | 'link';
const BY_MAIL = { value: 'mail', label: teamTexts.byMail } as const;
const BY_LINK = { value: 'link', label: teamTexts.byLink } as const;

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const sendsMail = entrance.value?.mail === true;
  const email = useSignal('');
  const role = useSignal<MemberRole>('developer');
  const by = useSignal<Way>(sendsMail ? 'mail' : 'link');
  const made = useSignal<InvitationMade | undefined>(undefined);
  const shown = useSignal(false);
  if (shown.value && made.value?.url !== undefined)
    return <LinkShown email={made.value.email} url={made.value.url} onClose={onClose} />;
  return (
    <FormDialog
      title={teamTexts.invite}
      submit={teamTexts.invite}
      lead={<p>{teamTexts.inviteText}</p>}
      onSubmit={async () => {
        const body = { email: email.value.trim(), role: role.value, by: by.value };
        made.value = await call('inviteMember', { body });
        if (made.value.url === undefined) toast(teamTexts.invited(made.value.email));
      }}
      onClose={() => {
        if (made.value?.url === undefined) onClose();
        else shown.value = true;
      }}
    >
      <TextField
        label={teamTexts.email}
        type="email"
        name="email"
        autocomplete="off"
        required
        autofocus
        value={email.value}
        onInput={(value) => (email.value = value)}
      />
      <RoleField role={role.value} onChange={(value) => (role.value = value)} />
      <SelectField<Way>
        label={teamTexts.by}
        value={by.value}
        choices={sendsMail ? [BY_MAIL, BY_LINK] : [BY_LINK]}
        onChange={(value) => (by.value = value)}
      />
    </FormDialog>
  );
}

function LinkShown({ email, url, onClose }: { email: string; url: string; onClose: () => void }) {
  return (
    <Dialog title={teamTexts.linkTitle} onClose={onClose} wide keeps>
      <p>{teamTexts.linkText(email)}</p>
      <SecretPanel title={teamTexts.link} secret={url} />
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.copiedIt}
        </Button>
      </Actions>
    </Dialog>
  );
}
