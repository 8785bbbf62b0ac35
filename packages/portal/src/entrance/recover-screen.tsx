import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { call, unlessProblem, useResource } from '../api/index.ts';
import { entrance, loadVisit } from '../state/visit.ts';
import { recoveryTexts } from '../texts/recovery.ts';
import { Loaded, Note } from '../ui/index.ts';
import { EmailField } from './email-field.tsx';
import { EntranceForm } from './form.tsx';
import { EntranceFrame } from './frame.tsx';
import { useLinkToken } from './link-token.ts';
import { NewPasswordField } from './new-password-field.tsx';

/** Sets a new password with a link; without one, requests the link. */
export default function RecoverScreen() {
  const token = useLinkToken();
  return (
    <EntranceFrame title={recoveryTexts.title}>
      {token === '' ? <AskForm /> : <Choose token={token} />}
      <p class="entrance-foot">
        <a href="/portal">{recoveryTexts.toSignIn}</a>
      </p>
    </EntranceFrame>
  );
}

function AskForm() {
  const email = useSignal('');
  const asked = useSignal(false);
  if (!entrance.value?.mail) {
    return (
      <div class="stack">
        <h1>{recoveryTexts.title}</h1>
        <Note icon="lock">{recoveryTexts.noMail}</Note>
      </div>
    );
  }
  if (asked.value) {
    return (
      <div class="stack">
        <h1>{recoveryTexts.askedTitle}</h1>
        <Note tone="good" icon="check">
          {recoveryTexts.asked(email.value)}
        </Note>
      </div>
    );
  }
  return (
    <EntranceForm
      title={recoveryTexts.title}
      lead={recoveryTexts.askLead}
      submit={recoveryTexts.ask}
      work={async () => {
        await call('askForRecovery', { body: { email: email.value.trim() } });
        asked.value = true;
      }}
    >
      <EmailField email={email} autofocus />
    </EntranceForm>
  );
}

function Choose({ token }: { token: string }) {
  const opened = useResource(() => call('openRecovery', { body: { token } }), [token]);
  const password = useSignal('');
  const { route } = useLocation();
  return (
    <>
      {!opened.data && <h1>{recoveryTexts.chooseTitle}</h1>}
      <Loaded resource={opened}>
        {({ email }) => (
          <EntranceForm
            title={recoveryTexts.chooseTitle}
            lead={recoveryTexts.chooseLead(email)}
            submit={recoveryTexts.choose}
            work={async () => {
              await call('recoverPassword', { body: { token, new_password: password.value } });
              // Members with a second factor enter it when they sign in.
              await call('signIn', { body: { email, password: password.value } }).catch(unlessProblem);
              await loadVisit();
              route('/portal', true);
            }}
          >
            <input type="hidden" name="email" autocomplete="username" value={email} />
            <NewPasswordField label={recoveryTexts.newPassword} password={password} autofocus />
          </EntranceForm>
        )}
      </Loaded>
    </>
  );
}
