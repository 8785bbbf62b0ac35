import type { Device } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useGrowingList } from '../../../api/index.ts';
import { inBackground } from '../../../kernel/background.ts';
import { deviceStates, planNames } from '../../../texts/labels.ts';
import { numbersTexts } from '../../../texts/numbers.ts';
import { accountTexts } from '../../../texts/operator.ts';
import { Meter } from '../../../ui/charts/index.ts';
import { Badge, Button, Card, type Column, formatPhone, Loaded, More, Table } from '../../../ui/index.ts';
import { ChangeDeviceDialog, RegisterDeviceDialog } from './device-dialogs.tsx';

/** The numbers of an account. */
export function DevicesCard({ accountId }: { accountId: string }) {
  const devices = useGrowingList(
    (page) => call('listDevices', { params: { account_id: accountId }, query: page }),
    [accountId],
  );
  const registers = useSignal(false);
  const changed = useSignal<Device | undefined>(undefined);
  const columns: readonly Column<Device>[] = [
    {
      title: accountTexts.phone,
      cell: ({ phone }) => <strong class="figures">{formatPhone(phone)}</strong>,
      share: 1.6,
    },
    { title: accountTexts.plan, cell: ({ plan }) => <Badge tone="accent">{planNames[plan]}</Badge> },
    {
      title: accountTexts.status,
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'good' : 'waiting'}>{deviceStates[status]}</Badge>
      ),
      secondary: true,
    },
    {
      title: accountTexts.used,
      cell: ({ used, quota }) => (
        <span title={numbersTexts.usedOf(used, quota)}>
          <Meter label={numbersTexts.usedOf(used, quota)} share={quota === 0 ? 0 : used / quota} />
        </span>
      ),
      share: 1.5,
      secondary: true,
    },
    {
      title: accountTexts.change,
      cell: (device) => (
        <Button small onClick={() => (changed.value = device)}>
          {accountTexts.change}
        </Button>
      ),
      atEnd: true,
    },
  ];
  return (
    <Card
      flush
      title={accountTexts.numbers}
      actions={
        <Button small icon="plus" onClick={() => (registers.value = true)}>
          {accountTexts.register}
        </Button>
      }
    >
      <Loaded resource={devices}>
        {({ devices: list }) =>
          list.length === 0 ? (
            <p class="card-note quiet">{accountTexts.noNumbers}</p>
          ) : (
            <Table
              label={accountTexts.numbers}
              columns={columns}
              rows={list}
              keyOf={({ slot_id }) => slot_id}
            />
          )
        }
      </Loaded>
      <More list={devices} shown={devices.data?.devices.length ?? 0} />
      {registers.value && (
        <RegisterDeviceDialog
          accountId={accountId}
          onDone={() => inBackground(devices.reload())}
          onClose={() => (registers.value = false)}
        />
      )}
      {changed.value && (
        <ChangeDeviceDialog
          device={changed.value}
          onDone={() => inBackground(devices.reload())}
          onClose={() => (changed.value = undefined)}
        />
      )}
    </Card>
  );
}
