import type { ApiKeyCreated, PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { type Answer, call, useResource, wholeList } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { keysTexts } from '../../texts/keys.ts';
import { Actions, Button, CodePanel, Dialog, SecretPanel } from '../../ui/index.ts';
import { readyCommand } from './curl.ts';
import { KeyForm } from './key-form.tsx';

/** Form for a new key; then shows the key once. */
export function CreateDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const created = useSignal<Answer<'createMyApiKey'> | undefined>(undefined);
  const numbers = useResource(() => wholeList((page) => call('listNumbers', { query: page })), []);
  if (created.value) {
    return <ShownKey created={created.value} numbers={numbers.data?.numbers ?? []} onClose={onClose} />;
  }
  return (
    <Dialog title={keysTexts.create} onClose={onClose}>
      <KeyForm
        phones={numbers.data?.numbers.map(({ phone }) => phone) ?? []}
        onClose={onClose}
        create={async (body) => {
          created.value = await call('createMyApiKey', { body });
          onCreated();
        }}
      />
    </Dialog>
  );
}

/** Shows a new key, once. */
export function ShownKey({
  created,
  numbers,
  onClose,
}: {
  created: ApiKeyCreated;
  numbers: readonly PortalNumber[];
  onClose: () => void;
}) {
  const ready = readyCommand(location.origin, created, numbers);
  return (
    <Dialog title={keysTexts.createdTitle} onClose={onClose} wide keeps>
      <SecretPanel title={keysTexts.keyLabel} secret={created.api_key} />
      {ready && <CodePanel title={ready.title} code={ready.command} />}
      <Actions>
        <Button look="primary" onClick={onClose}>
          {words.copiedIt}
        </Button>
      </Actions>
    </Dialog>
  );
}
