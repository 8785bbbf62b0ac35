import { NAME_MAX_LENGTH, PERMISSIONS, type Permission } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { type InputOf, Problem, useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { inDays } from '../../kernel/clock.ts';
import { words } from '../../texts/common.ts';
import { accessChoices, expiryChoices, keysTexts } from '../../texts/keys.ts';
import { permissionNames } from '../../texts/labels.ts';
import {
  Actions,
  Button,
  CheckField,
  Form,
  formatPhone,
  RadioField,
  SelectField,
  TextField,
} from '../../ui/index.ts';
import './keys.css';

type Expiry = (typeof expiryChoices)[number]['value'];
type Access = (typeof accessChoices)[number]['value'];
type NewKey = InputOf<'createMyApiKey'>['body'];

/** Fields of a new key. */
export function KeyForm({
  phones,
  create,
  onClose,
}: {
  phones: readonly string[];
  create: (key: NewKey) => Promise<void>;
  onClose: () => void;
}) {
  const name = useSignal('');
  const phone = useSignal('');
  const access = useSignal<Access | undefined>(undefined);
  const chosen = useSignal<readonly Permission[]>([]);
  const expiry = useSignal<Expiry>('never');
  const { run, busy, problem } = useAction(async () => {
    if (access.value === undefined) throw new Problem(400, keysTexts.accessMissing);
    const restricted = access.value === 'restricted';
    if (restricted && chosen.value.length === 0) throw new Problem(400, keysTexts.permissionsMissing);
    await create({
      name: name.value.trim(),
      ...(phone.value !== '' && { phone: phone.value }),
      ...(restricted && { permissions: [...chosen.value] }),
      ...(expiry.value !== 'never' && { expires_at: inDays(Number(expiry.value)) }),
    });
  });
  const choices = [{ value: '', label: words.allNumbers }, ...phones.map(asChoice)];
  return (
    <Form
      problem={problem.value}
      onSubmit={() => inBackground(run())}
      foot={
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {keysTexts.create}
          </Button>
        </Actions>
      }
    >
      <TextField
        label={keysTexts.name}
        name="name"
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
        name="phone"
        hint={keysTexts.numberHint}
        value={phone.value}
        choices={choices}
        onChange={(value) => {
          phone.value = value;
        }}
      />
      <RadioField
        label={keysTexts.access}
        value={access.value}
        choices={accessChoices}
        onChange={(value) => {
          access.value = value;
        }}
      />
      {access.value === 'restricted' && (
        <PermissionChoice
          chosen={chosen.value}
          onChange={(next) => {
            chosen.value = next;
          }}
        />
      )}
      <SelectField
        label={keysTexts.expires}
        value={expiry.value}
        choices={expiryChoices}
        onChange={(value) => {
          expiry.value = value;
        }}
      />
    </Form>
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
    </fieldset>
  );
}

function asChoice(phone: string) {
  return { value: phone, label: formatPhone(phone) };
}
