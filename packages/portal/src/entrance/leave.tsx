import { inBackground } from '../kernel/background.ts';
import { me, signOut } from '../state/visit.ts';
import { shell } from '../texts/common.ts';
import { gateTexts } from '../texts/entrance.ts';

/** The way out for somebody who is signed in and yet cannot go on. */
export function Leave() {
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
