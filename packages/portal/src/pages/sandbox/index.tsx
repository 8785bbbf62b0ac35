import { type Signal, useSignal } from '@preact/signals';
import { useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { nav } from '../../texts/common.ts';
import { sandboxTexts } from '../../texts/sandbox.ts';
import { Button, Empty, Loaded, PageHead, Segments, Skeleton } from '../../ui/index.ts';
import { AddPhoneDialog } from './add-phone-dialog.tsx';
import { listPhones, type PhoneSummary } from './network.ts';
import { Phone } from './phone.tsx';
import './phone.css';

const POLL_MS = 5_000;
type Side = 'left' | 'right';

/** Two virtual phones side by side; narrow screens show one, with a switch. */
export default function SandboxPage() {
  const phones = useResource(listPhones, [], { everyMs: POLL_MS });
  const adds = useSignal(false);
  const add = (
    <Button icon="plus" onClick={() => (adds.value = true)}>
      {sandboxTexts.add}
    </Button>
  );
  return (
    <>
      <PageHead title={nav.sandbox} lead={sandboxTexts.lead}>
        {phones.data && phones.data.length > 0 && add}
      </PageHead>
      <Loaded resource={phones} skeleton={<Skeleton tall lines={2} />}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="sandbox" title={sandboxTexts.emptyTitle} action={add}>
              {sandboxTexts.emptyText}
            </Empty>
          ) : (
            <Pair phones={list} />
          )
        }
      </Loaded>
      {adds.value && (
        <AddPhoneDialog onAdded={() => inBackground(phones.reload())} onClose={() => (adds.value = false)} />
      )}
    </>
  );
}

function Pair({ phones }: { phones: readonly PhoneSummary[] }) {
  const shown = useSignal<Side>('left');
  const left = useSignal(phones[0]?.phone ?? '');
  const right = useSignal(phones[1]?.phone ?? phones[0]?.phone ?? '');
  /** Swaps the sides when both would show the same phone. */
  const pick = (side: Signal<string>, other: Signal<string>) => (phone: string) => {
    if (phone === other.value) other.value = side.value;
    side.value = phone;
  };
  const nameOf = (phone: string): string => phones.find((each) => each.phone === phone)?.name ?? phone;
  return (
    <>
      <div class="phones-switch">
        <Segments
          label={sandboxTexts.phones}
          value={shown.value}
          choices={[
            { value: 'left', label: nameOf(left.value) },
            { value: 'right', label: nameOf(right.value) },
          ]}
          onChange={(side: Side) => (shown.value = side)}
        />
      </div>
      <div class="phones" data-shown={shown.value}>
        <Phone
          key={`left ${left.value}`}
          label={sandboxTexts.left}
          number={left.value}
          phones={phones}
          onPick={pick(left, right)}
        />
        <Phone
          key={`right ${right.value}`}
          label={sandboxTexts.right}
          number={right.value}
          phones={phones}
          onPick={pick(right, left)}
        />
      </div>
    </>
  );
}
