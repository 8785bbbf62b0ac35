import { useSignal } from '@preact/signals';
import { PasswordDialog } from '../../shell/password-dialog.tsx';
import { nav, shell } from '../../texts/common.ts';
import { securityTexts } from '../../texts/security.ts';
import { Button, Card, PageHead } from '../../ui/index.ts';
import { BrowsersCard } from './browsers-card.tsx';
import './security.css';
import { TwoFactorCard } from './two-factor-card.tsx';

/** Sign-in settings of the member. */
export default function SecurityPage() {
  return (
    <>
      <PageHead title={nav.security} lead={securityTexts.lead} />
      <div class="stack stack-loose">
        <PasswordCard />
        <TwoFactorCard />
        <BrowsersCard />
      </div>
    </>
  );
}

function PasswordCard() {
  const changes = useSignal(false);
  return (
    <Card
      title={securityTexts.password}
      actions={
        <Button small onClick={() => (changes.value = true)}>
          {shell.changePassword}
        </Button>
      }
    >
      <p>{securityTexts.passwordText}</p>
      {changes.value && <PasswordDialog onClose={() => (changes.value = false)} />}
    </Card>
  );
}
