import { NAME_MAX_LENGTH, PERMISSIONS, type Permission } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { type Answer, call, useAction, useResource } from '../../api/index.ts';
import { now } from '../../kernel/clock.ts';
import { words } from '../../texts/common.ts';
import { expiryChoices, keysTexts, permissionNames } from '../../texts/keys.ts';
import {
  Actions,
  Button,
  CheckField,
  CodePanel,
  Dialog,
  ErrorNote,
  formatPhone,
  SecretPanel,
  SelectField,
  TextField,
} from '../../ui/index.ts';
import { readyCommand } from './curl.ts';
import './keys.css';

const DAY_MS = 86_400_000;
type Expiry = (typeof expiryChoices)[number]['value'];

/** Asks for everything about the new key, then shows it the one time that it can be seen. */
export function CreateDialog({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const created = useSignal<Answer<'createMyApiKey'> | undefined>(undefined);
  const numbers = useResource(() => call('listNumbers'), []);
  if (created.value) {
    const ready = readyCommand(location.origin, created.value, numbers.data?.numbers ?? []);
    return (
      <Dialog title={keysTexts.createdTitle} onClose={onClose} wide>
        <SecretPanel title={keysTexts.keyLabel} secret={created.value.api_key} />
        {ready && <CodePanel title={ready.title} code={ready.command} />}
        <Actions>
          <Button look="primary" onClick={onClose}>
            {keysTexts.done}
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog title={keysTexts.create} onClose={onClose}>
      <KeyForm
        phones={numbers.data?.numbers.map(({ phone }) => phone) ?? []}
        onClose={onClose}
        onCreated={(key) => {
          created.value = key;
          onCreated();
        }}
      />
    </Dialog>
  );
}

function KeyForm({
  phones,
  onCreated,
  onClose,
}: {
  phones: readonly string[];
  onCreated: (key: Answer<'createMyApiKey'>) => void;
  onClose: () => void;
}) {
  const name = useSignal('');
  const phone = useSignal('');
  const chosen = useSignal<readonly Permission[]>([]);
  const expiry = useSignal<Expiry>('never');
  const { run, busy, problem } = useAction(async () => {
    const body = {
      name: name.value.trim(),
      ...(phone.value !== '' && { phone: phone.value }),
      ...(chosen.value.length > 0 && { permissions: [...chosen.value] }),
      ...(expiry.value !== 'never' && { expires_at: inDays(Number(expiry.value)) }),
    };
    onCreated(await call('createMyApiKey', { body }));
  });
  const choices = [{ value: '', label: keysTexts.allNumbers }, ...phones.map(asChoice)];
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <TextField
        label={keysTexts.name}
        hint={keysTexts.nameHint}
        required
        autofocus
        maxLength={NAME_MAX_LENGTH}
        value={name.value}
        onInput={(value) => {
          name.value = value;
        }}
      />
      <SelectField
        label={keysTexts.number}
        hint={keysTexts.numberHint}
        value={phone.value}
        choices={choices}
        onChange={(value) => {
          phone.value = value;
        }}
      />
      <PermissionChoice
        chosen={chosen.value}
        onChange={(next) => {
          chosen.value = next;
        }}
      />
      <SelectField
        label={keysTexts.expires}
        value={expiry.value}
        choices={expiryChoices}
        onChange={(value) => {
          expiry.value = value;
        }}
      />
      {problem.value && <ErrorNote problem={problem.value} />}
      <Actions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button type="submit" look="primary" busy={busy.value}>
          {keysTexts.create}
        </Button>
      </Actions>
    </form>
  );
}

function PermissionChoice({
  chosen,
  onChange,
}: {
  chosen: readonly Permission[];
  onChange: (next: readonly Permission[]) => void;
}) {
  return (
    <fieldset class="permissions">
      <legend class="field-label">{keysTexts.permissions}</legend>
      {PERMISSIONS.map((permission) => (
        <CheckField
          key={permission}
          label={permissionNames[permission]}
          checked={chosen.includes(permission)}
          onChange={(checked) =>
            onChange(PERMISSIONS.filter((each) => (each === permission ? checked : chosen.includes(each))))
          }
        />
      ))}
      <p class="field-note">{keysTexts.permissionsHint}</p>
    </fieldset>
  );
}

function asChoice(phone: string) {
  return { value: phone, label: formatPhone(phone) };
}

function inDays(days: number): string {
  return new Date(now() + days * DAY_MS).toISOString();
}
