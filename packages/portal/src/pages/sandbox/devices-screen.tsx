import { useSignal } from '@preact/signals';
import { useAction } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { deviceTexts } from '../../texts/sandbox.ts';
import { Ago, Badge, Button, ErrorNote, SelectField, toast } from '../../ui/index.ts';
import type { Handset, Screen } from './handset.ts';
import { LinkForm } from './link-form.tsx';
import { armFault, type FaultOrder, type LinkedDevice } from './network.ts';
import { RestrictionsForm } from './restrictions-form.tsx';
import { ScreenHead } from './screen-head.tsx';

/** Linked devices of the phone: faults to inject, unlinking, and linking more. */
export function DevicesScreen({ handset, go }: { handset: Handset; go: (screen: Screen) => void }) {
  const { linked_devices, duplicates_dropped } = handset.detail;
  return (
    <>
      <ScreenHead title={deviceTexts.title} onBack={() => go({ at: 'chats' })} />
      <div class="devices">
        {linked_devices.length === 0 && (
          <p class="quiet">
            {deviceTexts.none} {deviceTexts.noneHint}
          </p>
        )}
        {linked_devices.map((device) => (
          <Device key={device.session_id} handset={handset} device={device} />
        ))}
        {duplicates_dropped > 0 && <p class="quiet small">{deviceTexts.duplicates(duplicates_dropped)}</p>}
        <LinkForm handset={handset} />
        <RestrictionsForm handset={handset} />
      </div>
    </>
  );
}

type FaultName = keyof typeof deviceTexts.faults;
const FAULTS: readonly { value: FaultName; label: string }[] = [
  { value: 'disconnect', label: deviceTexts.faults.disconnect },
  { value: 'send_transient', label: deviceTexts.faults.send_transient },
  { value: 'send_permanent', label: deviceTexts.faults.send_permanent },
  { value: 'slow', label: deviceTexts.faults.slow },
  { value: 'no_ack', label: deviceTexts.faults.no_ack },
  { value: 'media_download', label: deviceTexts.faults.media_download },
  { value: 'media_gone', label: deviceTexts.faults.media_gone },
  { value: 'stream_error', label: deviceTexts.faults.stream_error },
  { value: 'refuse_login', label: deviceTexts.faults.refuse_login },
];
/** Parameters of the faults; their texts state the same numbers. */
const DETAILS: Partial<Record<FaultName, Omit<FaultOrder, 'session_id' | 'fault'>>> = {
  disconnect: { ms: 15_000 },
  slow: { ms: 5_000 },
  stream_error: { code: 515 },
  refuse_login: { code: 402, reason_code: 101, expire_s: 60 },
};

function Device({ handset, device }: { handset: Handset; device: LinkedDevice }) {
  const { session_id, online, linked_at_unix } = device;
  const fault = useSignal<FaultName>('disconnect');
  const breaking = useAction(async () => {
    await armFault({ session_id, fault: fault.value, ...DETAILS[fault.value] });
    toast(deviceTexts.faultArmed);
    await handset.look();
  });
  const unlinking = useAction(async () => {
    await handset.act('/unlink', { session_id });
    toast(deviceTexts.unlinked);
  });
  const problem = breaking.problem.value ?? unlinking.problem.value;
  return (
    <section class="device">
      <header class="row row-apart">
        <code class="cut">{session_id}</code>
        <Badge tone={online ? 'good' : 'waiting'} dot>
          {online ? deviceTexts.connected : deviceTexts.disconnected}
        </Badge>
      </header>
      <p class="quiet small">
        {deviceTexts.linkedAgo} <Ago at={linked_at_unix} />
      </p>
      <SelectField
        label={deviceTexts.fault}
        value={fault.value}
        choices={FAULTS}
        onChange={(chosen) => (fault.value = chosen)}
      />
      {problem && <ErrorNote problem={problem} />}
      <div class="row">
        <Button small icon="bolt" busy={breaking.busy.value} onClick={() => inBackground(breaking.run())}>
          {deviceTexts.break}
        </Button>
        <Button
          small
          look="danger"
          icon="unlink"
          busy={unlinking.busy.value}
          onClick={() => inBackground(unlinking.run())}
        >
          {deviceTexts.unlink}
        </Button>
      </div>
    </section>
  );
}
