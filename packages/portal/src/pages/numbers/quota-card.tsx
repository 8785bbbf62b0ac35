import type { PortalNumber } from '@parley/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/index.ts';
import { may } from '../../state/visit.ts';
import { planNames } from '../../texts/labels.ts';
import { numbersTexts, numberTexts } from '../../texts/numbers.ts';
import { Ring } from '../../ui/charts/index.ts';
import { Button, Card, ConfirmDialog, Fact, Facts, formatDay, formatPercent, toast } from '../../ui/index.ts';
import { PlanDialog } from './plan-dialog.tsx';

/** The plan, and what is left of it in this period. */
export function QuotaCard({
  number,
  onChanged,
}: {
  number: PortalNumber;
  onChanged: (number: PortalNumber) => void;
}) {
  const changes = useSignal(false);
  const cancels = useSignal(false);
  const { plan, quota, used, period_start, period_end, activated_at } = number;
  return (
    <Card
      title={numberTexts.planAndQuota}
      actions={
        plan !== 'partner' &&
        may('administer') && (
          <>
            {number.status === 'active' && (
              <Button
                small
                look="danger"
                onClick={() => {
                  cancels.value = true;
                }}
              >
                {numberTexts.cancelPlan}
              </Button>
            )}
            <Button
              small
              onClick={() => {
                changes.value = true;
              }}
            >
              {number.canceled_at === null ? numberTexts.changePlan : numberTexts.choosePlan}
            </Button>
          </>
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
      {cancels.value && (
        <ConfirmDialog
          title={numberTexts.cancelTitle}
          text={numberTexts.cancelText}
          confirm={numberTexts.cancelPlan}
          onConfirm={async () => {
            onChanged(await call('cancelPlan', { params: { phone: number.phone } }));
            toast(numberTexts.canceled);
          }}
          onClose={() => {
            cancels.value = false;
          }}
        />
      )}
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
