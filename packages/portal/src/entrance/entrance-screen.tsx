import { useSignal } from '@preact/signals';
import { entrance } from '../state/visit.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { Empty } from '../ui/index.ts';
import { EntranceFrame } from './frame.tsx';
import { OperatorForm } from './operator-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

/** Sign-in screen. Keeps the address, so that signing in leads to the requested page. */
export function EntranceScreen({ who }: { who: 'owner' | 'operator' }) {
  const signsUp = useSignal(false);
  const door = entrance.value;
  if (who === 'operator') {
    return (
      <EntranceFrame title={entranceTexts.operatorTitle}>
        {door?.operator ? (
          <OperatorForm />
        ) : (
          <Empty icon="lock" title={entranceTexts.noOperatorTitle}>
            {entranceTexts.noOperatorText}
          </Empty>
        )}
        <p class="entrance-foot">
          <a href="/portal">{entranceTexts.ownerLink}</a>
        </p>
      </EntranceFrame>
    );
  }
  return (
    <EntranceFrame title={signsUp.value ? entranceTexts.signUp : entranceTexts.signIn}>
      {signsUp.value ? <SignUpForm /> : <SignInForm />}
      <div class="entrance-foot">
        {!signsUp.value && (
          <p>
            <a href="/portal/recover">{entranceTexts.forgotten}</a>
          </p>
        )}
        {door?.sign_up ? (
          <p>
            {signsUp.value ? entranceTexts.haveAccount : entranceTexts.noAccount}{' '}
            <button
              type="button"
              class="link"
              onClick={() => {
                signsUp.value = !signsUp.value;
              }}
            >
              {signsUp.value ? entranceTexts.signIn : entranceTexts.signUp}
            </button>
          </p>
        ) : (
          <p>{entranceTexts.signUpClosed}</p>
        )}
        {door?.operator && (
          <p>
            <a href="/portal/operator">{entranceTexts.operatorLink}</a>
          </p>
        )}
      </div>
    </EntranceFrame>
  );
}
