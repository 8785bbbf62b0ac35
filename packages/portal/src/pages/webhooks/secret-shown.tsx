import { words } from '../../texts/common.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { Actions, Button, Dialog, SecretPanel } from '../../ui/index.ts';

/** Signing secret, shown once. */
export function SecretShown({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose} wide>
      <SecretPanel title={webhooksTexts.secretLabel} secret={secret} />
      <p>
        {webhooksTexts.secretText}{' '}
        <a href="/docs#signature" target="_blank" rel="noreferrer">
          {webhooksTexts.howToCheck}
        </a>
      </p>
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.copiedIt}
        </Button>
      </Actions>
    </Dialog>
  );
}
