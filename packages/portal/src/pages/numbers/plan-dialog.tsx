import {
  labelOfFeature,
  type Money,
  PLAN_FEATURES,
  type PlanPreview,
  type PortalNumber,
  SELF_SERVICE_PLANS,
} from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction, useResource } from '../../api/index.ts';
import { inBackground } from '../../kernel/background.ts';
import { planTexts } from '../../texts/billing.ts';
import { words } from '../../texts/common.ts';
import { planNames } from '../../texts/labels.ts';
import { numberTexts } from '../../texts/numbers.ts';
import {
  Actions,
  Button,
  CheckField,
  Dialog,
  ErrorNote,
  Fact,
  Facts,
  formatMoney,
  formatNumber,
  Loaded,
  Note,
  toast,
} from '../../ui/index.ts';
import { PlanChoice, type SelfServicePlan } from './plan-choice.tsx';

/** Starts with the current plan, shows what another changes, and asks for confirmation. */
export function PlanDialog({
  number: { phone, plan, canceled_at },
  onChanged,
  onClose,
}: {
  number: PortalNumber;
  onChanged: (number: PortalNumber) => void;
  onClose: () => void;
}) {
  const chosen = useSignal<SelfServicePlan>(plan === 'partner' ? 'max' : plan);
  const agrees = useSignal(false);
  const next = chosen.value;
  const preview = useResource(() => call('previewPlan', { params: { phone, plan: next } }), [phone, next]);
  const { run, busy, problem } = useAction(async () => {
    onChanged(await call('changePlan', { params: { phone }, body: { plan: next } }));
    toast(numberTexts.planChanged(planNames[next]));
    onClose();
  });
  const changes = next !== plan || canceled_at !== null;
  return (
    <Dialog title={planTexts.title} onClose={onClose} wide>
      <PlanChoice
        plans={SELF_SERVICE_PLANS}
        value={next}
        current={plan}
        onChange={(value) => {
          chosen.value = value;
          agrees.value = false;
        }}
      />
      {changes ? (
        <Loaded resource={preview}>{(data) => <Differences preview={data} />}</Loaded>
      ) : (
        <p class="quiet">{planTexts.same}</p>
      )}
      {changes && (
        <CheckField
          label={planTexts.understood}
          checked={agrees.value}
          onChange={(checked) => (agrees.value = checked)}
        />
      )}
      {problem.value && <ErrorNote problem={problem.value} />}
      <Actions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          look="primary"
          busy={busy.value}
          disabled={!changes || !agrees.value || preview.data?.next.plan !== next}
          onClick={() => inBackground(run())}
        >
          {planTexts.confirm(next)}
        </Button>
      </Actions>
    </Dialog>
  );
}

function Differences({ preview: { current, next, used, period_end, closing } }: { preview: PlanPreview }) {
  const lost = [...PLAN_FEATURES[current.plan]].filter((feature) => !PLAN_FEATURES[next.plan].has(feature));
  const isTooMuch = used >= next.quota;
  return (
    <div class="stack" aria-live="polite">
      <Facts>
        <Fact name={planTexts.quota}>{change(formatNumber(current.quota), formatNumber(next.quota))}</Fact>
        <Fact name={planTexts.rate}>{change(String(current.per_minute), String(next.per_minute))}</Fact>
        <Fact name={planTexts.price}>{change(priceOf(current.price), priceOf(next.price))}</Fact>
      </Facts>
      <Note tone={isTooMuch ? 'warning' : 'info'} icon={isTooMuch ? 'warning' : 'info'}>
        {(isTooMuch ? planTexts.exceeded : planTexts.used)(used, next.quota, period_end)}
      </Note>
      <p>{closing.total ? planTexts.closing(priceOf(closing)) : planTexts.closingFree}</p>
      {lost.length > 0 && (
        <Note tone="warning" icon="warning">
          {planTexts.loses(lost.map(labelOfFeature).join(', '))}
        </Note>
      )}
    </div>
  );
}

function change(before: string, after: string): string {
  return before === after ? planTexts.unchanged(after) : planTexts.becomes(before, after);
}

function priceOf({ total, currency }: Money): string {
  return total === null || currency === null ? planTexts.free : formatMoney(total, currency);
}
