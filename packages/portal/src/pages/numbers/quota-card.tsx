import { type PortalNumber, SELF_SERVICE_PLANS } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call, useAction } from '../../api/index.ts';
import { words } from '../../texts/common.ts';
import { planNames } from '../../texts/labels.ts';
import { numbersTexts, numberTexts } from '../../texts/numbers.ts';
import { Ring } from '../../ui/charts/index.ts';
import {
  Actions,
  Button,
  Card,
  Dialog,
  ErrorNote,
  Fact,
  Facts,
  formatDay,
  formatPercent,
  toast,
} from '../../ui/index.ts';
import { PlanChoice, type SelfServicePlan } from './plan-choice.tsx';

/** The plan, and what is left of it in this period. */
export function QuotaCard({
  number,
  onChanged,
}: {
  number: PortalNumber;
  onChanged: (number: PortalNumber) => void;
}) {
  const changes = useSignal(false);
  const { plan, quota, used, period_start, period_end, activated_at } = number;
  return (
    <Card
      title={numberTexts.planAndQuota}
      actions={
        plan !== 'partner' && (
          <Button
            small
            onClick={() => {
              changes.value = true;
            }}
          >
            {numberTexts.changePlan}
          </Button>
        )
      }
    >
      <div class="quota">
        <Ring label={numberTexts.quotaLabel} share={used / quota}>
          {formatPercent(used / quota)}
          <span class="ring-note">{numberTexts.used}</span>
        </Ring>
        <Facts>
          <Fact name={numbersTexts.plan}>{planNames[plan]}</Fact>
          <Fact name={numbersTexts.used}>{numberTexts.usedOf(used, quota)}</Fact>
          {period_start && period_end && (
            <Fact name={numbersTexts.period}>
              <span class="nowrap">{formatDay(period_start)} –</span>{' '}
              <span class="nowrap">{formatDay(period_end)}</span>
            </Fact>
          )}
          {activated_at && <Fact name={numberTexts.activated}>{formatDay(activated_at)}</Fact>}
        </Facts>
      </div>
      {plan === 'partner' && <p class="quiet small">{numberTexts.partnerPlan}</p>}
      {changes.value && (
        <PlanDialog
          number={number}
          onChanged={onChanged}
          onClose={() => {
            changes.value = false;
          }}
        />
      )}
    </Card>
  );
}

function PlanDialog({
  number,
  onChanged,
  onClose,
}: {
  number: PortalNumber;
  onChanged: (number: PortalNumber) => void;
  onClose: () => void;
}) {
  const { phone, plan } = number;
  const others = SELF_SERVICE_PLANS.filter((each) => each !== plan);
  const chosen = useSignal<SelfServicePlan>(others[0] ?? 'free');
  const { run, busy, problem } = useAction(async () => {
    onChanged(await call('changePlan', { params: { phone }, body: { plan: chosen.value } }));
    toast(numberTexts.planChanged(planNames[chosen.value]));
    onClose();
  });
  return (
    <Dialog title={numberTexts.changePlan} onClose={onClose} wide>
      <p class="quiet">{numberTexts.changePlanText}</p>
      <PlanChoice
        plans={others}
        value={chosen.value}
        onChange={(next) => {
          chosen.value = next;
        }}
      />
      {problem.value && <ErrorNote problem={problem.value} />}
      <Actions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="primary" busy={busy.value} onClick={() => void run()}>
          {numberTexts.changePlan}
        </Button>
      </Actions>
    </Dialog>
  );
}
