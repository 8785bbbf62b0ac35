import { type Device, type DeviceStatus, type Plan, phoneDigits } from '@parley/contract';
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { call, Problem } from '../../../api/index.ts';
import { words } from '../../../texts/common.ts';
import { choicesOf, deviceStates, planNames } from '../../../texts/labels.ts';
import { accountTexts } from '../../../texts/operator.ts';
import { FormDialog, formatPhone, SelectField, TextField, toast } from '../../../ui/index.ts';

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
        if (digits === null) throw new Problem(400, words.phoneWrong, undefined, 'phone');
        const body = { phone: digits, plan: plan.value, status: status.value };
        await call('createDevice', { params: { account_id: accountId }, body });
        toast(accountTexts.registered);
        onDone();
      }}
    >
      <TextField
        label={accountTexts.phone}
        name="phone"
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
        // Sending the plan restarts it, even when it is unchanged.
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
  return (
    <FormDialog title={title} submit={words.save} onSubmit={save} onClose={onClose}>
      {children}
      <SelectField
        label={accountTexts.plan}
        name="plan"
        hint={accountTexts.planNote}
        value={plan.value}
        choices={PLAN_CHOICES}
        onChange={(chosen) => (plan.value = chosen)}
      />
      <SelectField
        label={accountTexts.status}
        name="status"
        value={status.value}
        choices={STATUS_CHOICES}
        onChange={(chosen) => (status.value = chosen)}
      />
    </FormDialog>
  );
}
