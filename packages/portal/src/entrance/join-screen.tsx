import { NAME_MAX_LENGTH } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, useResource } from '../api/index.ts';
import { loadVisit } from '../state/visit.ts';
import { roleLabels } from '../texts/labels.ts';
import { joinTexts } from '../texts/team.ts';
import { Loaded, TextField } from '../ui/index.ts';
import { EntranceForm } from './form.tsx';
import { EntranceFrame } from './frame.tsx';
import { useLinkToken } from './link-token.ts';
import { NewPasswordField } from './new-password-field.tsx';

/** Page of an invitation link. */
export default function JoinScreen() {
  const token = useLinkToken();
  const invitation = useResource(() => call('openInvitation', { body: { token } }), [token]);
  const name = useSignal('');
  const password = useSignal('');
  const { route } = useLocation();
  return (
    <EntranceFrame title={joinTexts.fallbackTitle}>
      {!invitation.data && <h1>{joinTexts.fallbackTitle}</h1>}
      <Loaded resource={invitation}>
        {({ account, email, role }) => (
          <EntranceForm
            title={joinTexts.title(account)}
            lead={joinTexts.lead(email, roleLabels[role])}
            submit={joinTexts.join}
            work={async () => {
              const body = { token, name: name.value.trim(), password: password.value };
              await call('acceptInvitation', { body });
              await loadVisit();
              route('/portal', true);
            }}
          >
            <TextField
              label={joinTexts.name}
              name="name"
              autocomplete="name"
              required
              autofocus
              maxLength={NAME_MAX_LENGTH}
              value={name.value}
              onInput={(value) => (name.value = value)}
            />
            <NewPasswordField password={password} />
          </EntranceForm>
        )}
      </Loaded>
    </EntranceFrame>
  );
}
