import { inBackground } from '../kernel/background.ts';
import { me, signOut } from '../state/visit.ts';
import { shell } from '../texts/common.ts';
import { gateTexts } from '../texts/entrance.ts';

/** Sign-out button for members who are signed in but blocked. */
export function SignOutButton() {
  return (
    <div class="entrance-foot">
      <p>
        {me.value && gateTexts.signedInAs(me.value.email)}{' '}
        <button type="button" class="link" onClick={() => inBackground(signOut())}>
          {shell.signOut}
        </button>
      </p>
    </div>
  );
}
