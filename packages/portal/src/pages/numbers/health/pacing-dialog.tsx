import { GAP_MAX_SECONDS, NEW_CHATS_PER_DAY_MAX, type Pacing, WARM_UP_MAX_DAYS } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../../api/index.ts';
import { words } from '../../../texts/common.ts';
import { healthTexts } from '../../../texts/health.ts';
import { CheckField, FormDialog, TextField, toast } from '../../../ui/index.ts';

type Switch = 'hold_new_chats' | 'respect_quota' | 'pause_after_refusals';
type Figure = Exclude<keyof Pacing, Switch>;

const SWITCHES: readonly { name: Switch; label: string }[] = [
  { name: 'hold_new_chats', label: healthTexts.holdNewChats },
  { name: 'respect_quota', label: healthTexts.respectQuota },
  { name: 'pause_after_refusals', label: healthTexts.pauseAfterRefusals },
];

const FIGURES: readonly { name: Figure; label: string; hint?: string; max: number }[] = [
  {
    name: 'daily_new_chats',
    label: healthTexts.dailyNewChats,
    hint: healthTexts.dailyHint,
    max: NEW_CHATS_PER_DAY_MAX,
  },
  {
    name: 'warm_up_days',
    label: healthTexts.warmUpDays,
    hint: healthTexts.warmUpHint,
    max: WARM_UP_MAX_DAYS,
  },
  { name: 'gap_min_seconds', label: healthTexts.gapMin, max: GAP_MAX_SECONDS },
  { name: 'gap_max_seconds', label: healthTexts.gapMax, max: GAP_MAX_SECONDS },
];

/** Settings of a number's pacing. */
export function PacingDialog({
  phone,
  pacing,
  onChanged,
  onClose,
}: {
  phone: string;
  pacing: Pacing;
  onChanged: () => void;
  onClose: () => void;
}) {
  const switches = useSignal(pacing as Pick<Pacing, Switch>);
  const figures = useSignal(
    Object.fromEntries(FIGURES.map(({ name }) => [name, String(pacing[name])])) as Record<Figure, string>,
  );
  async function keep(): Promise<void> {
    const { hold_new_chats, respect_quota, pause_after_refusals } = switches.value;
    const numbers = Object.fromEntries(
      Object.entries(figures.value).map(([name, text]) => [name, Number(text || '0')]),
    );
    const body = { hold_new_chats, respect_quota, pause_after_refusals, ...numbers };
    await call('choosePacing', { params: { phone }, body });
    toast(healthTexts.changed);
    onChanged();
  }
  return (
    <FormDialog
      title={healthTexts.pacing}
      submit={words.save}
      lead={<p class="quiet">{healthTexts.pacingLead}</p>}
      onSubmit={keep}
      onClose={onClose}
    >
      {SWITCHES.map(({ name, label }) => (
        <CheckField
          key={name}
          label={label}
          checked={switches.value[name]}
          onChange={(checked) => {
            switches.value = { ...switches.value, [name]: checked };
          }}
        />
      ))}
      <div class="health-figures">
        {FIGURES.map(({ name, label, hint, max }) => (
          <TextField
            key={name}
            label={label}
            {...(hint && { hint })}
            type="number"
            min="0"
            max={String(max)}
            value={figures.value[name]}
            onInput={(text) => {
              figures.value = { ...figures.value, [name]: text };
            }}
          />
        ))}
      </div>
    </FormDialog>
  );
}
