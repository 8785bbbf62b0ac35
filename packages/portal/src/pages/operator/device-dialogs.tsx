import { type Device, type DeviceStatus, type Plan, phoneDigits } from '@parley/contract';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { call, Problem, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { choicesOf, deviceStates, planNames } from '../../texts/labels.ts';
import { accountTexts } from '../../texts/operator.ts';
import {
  Actions,
  Button,
  Dialog,
  ErrorNote,
  formatPhone,
  SelectField,
  TextField,
  toast,
} from '../../ui/index.ts';

const PLAN_CHOICES = choicesOf(planNames);
const STATUS_CHOICES = choicesOf(deviceStates);

export function RegisterDeviceDialog({
  accountId,
  onDone,
  onClose,
}: {
  accountId: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const phone = useSignal('');
  const plan = useSignal<Plan>('free');
  const status = useSignal<DeviceStatus>('active');
  return (
    <DeviceDialog
      title={accountTexts.register}
      plan={plan}
      status={status}
      onClose={onClose}
      save={async () => {
        const digits = phoneDigits(phone.value.trim());
        if (digits === null) throw new Problem(400, words.phoneWrong);
        const body = { phone: digits, plan: plan.value, status: status.value };
        await call('createDevice', { params: { account_id: accountId }, body });
        toast(accountTexts.registered);
        onDone();
      }}
    >
      <TextField
        label={accountTexts.phone}
        hint={accountTexts.phoneHint}
        type="tel"
        autocomplete="off"
        required
        autofocus
        value={phone.value}
        onInput={(value) => (phone.value = value)}
      />
    </DeviceDialog>
  );
}

export function ChangeDeviceDialog({
  device,
  onDone,
  onClose,
}: {
  device: Device;
  onDone: () => void;
  onClose: () => void;
}) {
  const plan = useSignal<Plan>(device.plan);
  const status = useSignal<DeviceStatus>(device.status);
  return (
    <DeviceDialog
      title={accountTexts.changeTitle(formatPhone(device.phone))}
      plan={plan}
      status={status}
      onClose={onClose}
      save={async () => {
        // A plan that is named begins anew, even if it is the same.
        const body = {
          ...(plan.value !== device.plan && { plan: plan.value }),
          ...(status.value !== device.status && { status: status.value }),
        };
        await call('updateDevice', { params: { slot_id: device.slot_id }, body });
        toast(accountTexts.changed);
        onDone();
      }}
    />
  );
}

function DeviceDialog({
  title,
  plan,
  status,
  save,
  onClose,
  children,
}: {
  title: string;
  plan: Signal<Plan>;
  status: Signal<DeviceStatus>;
  save: () => Promise<void>;
  onClose: () => void;
  children?: ComponentChildren;
}) {
  const { run, busy, problem } = useAction(async () => {
    await save();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {children}
        <SelectField
          label={accountTexts.plan}
          hint={accountTexts.planNote}
          value={plan.value}
          choices={PLAN_CHOICES}
          onChange={(chosen) => (plan.value = chosen)}
        />
        <SelectField
          label={accountTexts.status}
          value={status.value}
          choices={STATUS_CHOICES}
          onChange={(chosen) => (status.value = chosen)}
        />
        {problem.value && <ErrorNote problem={problem.value} />}
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {words.save}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
